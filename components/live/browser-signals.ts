'use client'
/** Whether this browser tells of alerts while its tab is hidden: asked for by a click, kept in this browser. */
import { useSyncExternalStore } from 'react'

const KEY = 'tenure-alert-signals'
const ON = 'on'

/** `unsupported`: the browser has no notifications here, as without HTTPS. */
export type Permission = 'unsupported' | NotificationPermission

const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}
/** Where storage is off the choice lasts as long as the tab. */
let inThisTab: boolean | null = null

export function signalsAreOn(): boolean {
  if (inThisTab !== null) return inThisTab
  try {
    return localStorage.getItem(KEY) === ON
  } catch {
    return false
  }
}

export function permission(): Permission {
  return typeof Notification === 'undefined' || !window.isSecureContext ? 'unsupported' : Notification.permission
}

function keep(isOn: boolean): void {
  try {
    if (isOn) localStorage.setItem(KEY, ON)
    else localStorage.removeItem(KEY)
  } catch {
    inThisTab = isOn
  }
  tell()
}

/** After a click: browsers let nobody ask before. Resolves when the person has answered. */
export async function turnSignalsOn(): Promise<void> {
  keep(true)
  if (permission() === 'default') await Notification.requestPermission().catch(() => undefined)
  tell()
}

export const turnSignalsOff = () => keep(false)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  const onStorage = ({ key }: StorageEvent) => {
    if (key === KEY || key === null) listener()
  }
  addEventListener('storage', onStorage)
  let status: PermissionStatus | undefined
  navigator.permissions
    ?.query({ name: 'notifications' })
    .then((found) => {
      if (!listeners.has(listener)) return
      status = found
      found.addEventListener('change', listener)
    })
    .catch(() => undefined)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', onStorage)
    status?.removeEventListener('change', listener)
  }
}

/** null while the page comes to life: what the browser keeps is not known on the server. */
export function useSignals(): { isOn: boolean; permission: Permission } | null {
  const text = useSyncExternalStore(
    subscribe,
    () => `${signalsAreOn() ? ON : 'off'} ${permission()}`,
    () => '',
  )
  if (text === '') return null
  const [is, may] = text.split(' ')
  return { isOn: is === ON, permission: may as Permission }
}
