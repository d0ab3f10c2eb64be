'use client'
import { useSyncExternalStore } from 'react'
import { applyTheme, nextTheme, storedTheme, systemTheme, type Theme } from './theme.ts'

const listeners = new Set<() => void>()
let current: Theme | undefined

function read(): Theme {
  current ??= storedTheme()
  return current
}

function set(theme: Theme): void {
  current = theme
  applyTheme(theme)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  const system = window.matchMedia('(prefers-color-scheme: light)')
  const follow = () => read() === 'system' && applyTheme('system')
  system.addEventListener('change', follow)
  return () => {
    listeners.delete(listener)
    system.removeEventListener('change', follow)
  }
}

export function cycleTheme(): void {
  set(nextTheme(read(), systemTheme()))
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, read, () => 'system' as const)
}
