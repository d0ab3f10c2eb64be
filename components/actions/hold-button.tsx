'use client'
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useMedia } from '../ui/use-media.ts'

export const HOLD_MS = 2_000
const CONFIRM_WITHIN_MS = 5_000

interface HoldButtonProps {
  /** Names the effect: "Hold to stop payments/ledger-writer". */
  children: ReactNode
  /** While it is held, and instead of holding where nothing moves: "Keep holding …", "Press again to …". */
  holding: ReactNode
  again: ReactNode
  disabled?: boolean
  onDone: () => void
}

/**
 * Does it after two seconds of holding, by mouse, finger, Enter or Space; letting go early does nothing.
 * Where motion is reduced, and for a press that holds nothing (a screen reader's), it asks for a second press.
 */
export function HoldButton({ children, holding, again, disabled = false, onDone }: HoldButtonProps) {
  const still = useMedia('(prefers-reduced-motion: reduce)')
  const [state, setState] = useState<'idle' | 'holding' | 'asked'>('idle')
  const held = useRef(false)
  const done = useEffectEvent(() => {
    setState('idle')
    onDone()
  })
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(
      () => (state === 'holding' ? done() : setState('idle')),
      state === 'holding' ? HOLD_MS : CONFIRM_WITHIN_MS,
    )
    return () => clearTimeout(timer)
  }, [state])
  const press = () => {
    held.current = true
    if (!still) setState('holding')
  }
  const letGo = () => setState((now) => (now === 'holding' ? 'idle' : now))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    if (!still) event.preventDefault()
    if (!event.repeat && !disabled) press()
  }
  const onClick = () => {
    const wasHeld = held.current && !still
    held.current = false
    if (wasHeld) return
    if (state === 'asked') done()
    else setState('asked')
  }
  return (
    <button
      className="relative inline-flex h-11 select-none items-center justify-center gap-2 overflow-hidden rounded-md border border-critfill bg-critfill px-4 font-semibold text-oncrit disabled:border-ctl disabled:border-dashed disabled:bg-transparent disabled:text-t3 max-sm:w-full"
      disabled={disabled}
      onBlur={letGo}
      onClick={onClick}
      onKeyDown={onKeyDown}
      onKeyUp={letGo}
      onPointerCancel={letGo}
      onPointerDown={(event) => event.button === 0 && press()}
      onPointerLeave={letGo}
      onPointerUp={letGo}
      type="button"
    >
      {state === 'holding' && (
        <span aria-hidden="true" className="hold-fill absolute inset-0 origin-left bg-black/35" />
      )}
      <span className="relative">{state === 'holding' ? holding : state === 'asked' ? again : children}</span>
    </button>
  )
}
