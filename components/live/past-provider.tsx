'use client'
/** Where the address names a moment of the past, every view below gets a store that stands still there. */
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import type { Direction } from '../../lib/election/moments.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { readMoment } from './as-of.ts'
import { fetchSnapshot, type MomentChanges, nearestChange, type StepScope, useSnapshot } from './past-queries.ts'
import { PastStore } from './past-store.ts'
import { useAddressMoment } from './use-address-moment.ts'
import { LiveContext, useLiveStore } from './use-live.ts'

/** What the last step came to; `changes` null: there was nothing more on that side. */
export interface Stepped {
  direction: Direction
  changes: MomentChanges['changes'] | null
}

export interface PastView {
  isPast: boolean
  /** null in the present, and where the address names no time. */
  at: Instant | null
  /** Why the moment cannot be shown. */
  problem: string | null
  stepped: Stepped | null
  /** Shows that moment once it is there; resolves with the reason where it cannot be shown. */
  goTo(at: Instant): Promise<string | null>
  step(scope: StepScope, direction: Direction): Promise<void>
  leave(): void
}

const PastContext = createContext<PastView | null>(null)

export function usePast(): PastView {
  const past = useContext(PastContext)
  if (past === null) throw new Error('usePast needs a PastProvider above it')
  return past
}

function wordsOf(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error)
  return `${words.charAt(0).toUpperCase()}${words.slice(1).replace(/\.$/, '')}.`
}

export function PastProvider({ children }: { children: ReactNode }) {
  const live = useLiveStore()
  const queries = useQueryClient()
  const { text, set } = useAddressMoment()
  const [stepped, setStepped] = useState<(Stepped & { at: Instant }) | null>(null)
  const asked = text === null ? null : readMoment(text, null)
  const at = asked !== null && 'at' in asked ? asked.at : null
  const { data, error } = useSnapshot(at)
  const past = useMemo(() => {
    if (text === null) return null
    const store = new PastStore(at)
    if (at !== null && data !== undefined) store.show(at, data.clusters)
    return store
  }, [text, at, data])
  const goTo = async (to: Instant, how: 'push' | 'replace' = text === null ? 'push' : 'replace') => {
    try {
      await fetchSnapshot(queries, to)
    } catch (trouble) {
      return wordsOf(trouble)
    }
    set(to, how)
    return null
  }
  const step = async (scope: StepScope, direction: Direction) => {
    if (at === null) return
    const found = await nearestChange(scope, at, direction).catch(() => null)
    if (found !== null && (await goTo(found.at)) !== null) return
    setStepped({ at: found?.at ?? at, direction, changes: found?.changes ?? null })
  }
  const problem = asked !== null && 'problem' in asked ? asked.problem : (error && wordsOf(error)) || null
  const view: PastView = {
    isPast: text !== null,
    at,
    problem,
    stepped: stepped?.at === at ? stepped : null,
    goTo: (to) => goTo(to),
    step,
    leave: () => set(null, 'push'),
  }
  return (
    <PastContext.Provider value={view}>
      <LiveContext.Provider value={past ?? live}>{children}</LiveContext.Provider>
    </PastContext.Provider>
  )
}
