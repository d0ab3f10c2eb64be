'use client'
/** Tells of alerts while the tab is hidden: a notification for each, and their number in the title. Nothing is drawn. */
import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent } from 'react'
import type { AlertBrief } from '../../lib/election/alerts.ts'
import { loudOnes, unacknowledgedOf } from './alert-counts.ts'
import { AlertWatch } from './alert-watch.ts'
import { permission, signalsAreOn, useSignals } from './browser-signals.ts'
import { storedClaims } from './stored-claims.ts'
import { keepTitle } from './title-badge.ts'
import { useLiveStore } from './use-live.ts'

const A_VISIBLE_TAB_FIRST_MS = 300
const isHidden = () => document.visibilityState === 'hidden'

/** Text alone, as the server wrote it. Where a browser wants a service worker for it there is none. */
function notify(alert: AlertBrief, open: () => void): void {
  try {
    const told = new Notification(alert.summary, { body: alert.detail, tag: alert.id })
    told.onclick = () => {
      window.focus()
      told.close()
      open()
    }
  } catch {
    // The count in the title is there all the same.
  }
}

export function AlertSignals() {
  const router = useRouter()
  const store = useLiveStore()
  const isOn = useSignals()?.isOn ?? false
  const open = useEffectEvent(() => router.push('/alerts'))
  useEffect(() => {
    const told = () => [...store.views.values()].map(({ info }) => info.alerts)
    const watch = new AlertWatch({
      claims: storedClaims(() => localStorage, navigator.locks),
      isOn: () => signalsAreOn() && permission() === 'granted',
      isHidden,
      show: (alert) => notify(alert, () => open()),
      wait: () => new Promise((resolve) => setTimeout(resolve, A_VISIBLE_TAB_FIRST_MS)),
    })
    return store.onFrame(() => {
      const all = told()
      // Until alerts are told nothing is known: what then fires is not new.
      if (all.some((each) => each !== undefined)) void watch.observe(loudOnes(all))
    })
  }, [store])
  useEffect(() => {
    if (!isOn) return
    const count = () => (isHidden() ? unacknowledgedOf([...store.views.values()].map(({ info }) => info.alerts)) : 0)
    const { update, stop } = keepTitle(count)
    const forget = store.onFrame(update)
    document.addEventListener('visibilitychange', update)
    return () => {
      forget()
      document.removeEventListener('visibilitychange', update)
      stop()
    }
  }, [store, isOn])
  return null
}
