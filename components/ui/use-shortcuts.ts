'use client'
import { useEffect, useEffectEvent } from 'react'

const SEQUENCE_MS = 1_200

/** Where typing belongs to the page, not to us. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)
}

function dialogIsOpen(): boolean {
  return document.querySelector('[role="dialog"],[role="alertdialog"],:popover-open') !== null
}

/**
 * Runs `keys['j']` on j, `keys['g e']` on g and then e, `keys['mod+k']` on ⌘K or Ctrl K (that one even
 * while typing). Nothing else runs while typing or while a dialog is open. An action that answers false
 * had nothing to do: the key is left to others.
 */
export function useShortcuts(keys: Readonly<Record<string, () => unknown>>): void {
  const run = useEffectEvent((name: string): boolean => {
    const action = keys[name]
    return action !== undefined && action() !== false
  })
  useEffect(() => {
    let first = ''
    let firstMs = 0
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.isComposing) return
      if (event.metaKey || event.ctrlKey) {
        if (run(`mod+${event.key.toLowerCase()}`)) event.preventDefault()
        return
      }
      if (isTyping(event.target) || dialogIsOpen()) return
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
      // The second key of a sequence is nothing else: G A must not open what A alone does.
      const isSecond = first !== '' && performance.now() - firstMs < SEQUENCE_MS
      const name = isSecond ? `${first} ${key}` : key
      first = key === 'g' ? key : ''
      firstMs = performance.now()
      if (run(name)) event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
