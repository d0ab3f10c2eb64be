/** Changes of leader, narrow: what a page of many thousands of them is counted from. */
import { isUnplanned } from './terms.ts'
import type { Cause, ElectionRef } from './types.ts'

/**
 * - `failover`: nobody planned it, and nobody had stopped the election.
 * - `planned`: resigned, handed off, revoked or stopped by somebody, or lost while it was stopped.
 * - `unobserved`: nobody can say.
 */
export type TransitionKind = 'failover' | 'planned' | 'unobserved'

/** What the time of a change was made of, in milliseconds; null where it is not known. */
export interface TransitionParts {
  /** Last proven renewal → when the lease would have run out. Only a failover has it. */
  detectMs: number | null
  /** What an etcd raft leader change added to the lease. Only a failover has it. */
  refillMs: number | null
  /** Seat freed → next leader. */
  vacancyMs: number | null
  /** Next leader → its first proclaim or report. */
  takeoverMs: number | null
}

export const PARTS = ['detect', 'refill', 'vacancy', 'takeover'] as const
export type TransitionPart = (typeof PARTS)[number]

/** One term that ended, and what followed. */
export interface Transition extends TransitionParts {
  ref: ElectionRef
  /** Its end, in milliseconds since 1970. */
  atMs: number
  /** When the next term began; null while nobody has led since. */
  nextMs: number | null
  cause: Cause
  kind: TransitionKind
}

/** As `isFailover` judges the end of a term. */
export function transitionKind(cause: Cause, duringStop: boolean): TransitionKind {
  if (cause === 'unobserved') return 'unobserved'
  return isUnplanned(cause) && !duringStop ? 'failover' : 'planned'
}

/** `silentMs` and `refillMs` of the term that ended, `gapMs` and `takeoverMs` of the one that followed. */
export function transitionParts(
  kind: TransitionKind,
  ended: { silentMs: number | null; refillMs: number | null },
  next: { gapMs: number | null; takeoverMs: number | null },
): TransitionParts {
  const { silentMs, refillMs } = kind === 'failover' ? ended : { silentMs: null, refillMs: null }
  return {
    detectMs: silentMs === null ? null : Math.max(0, silentMs - (refillMs ?? 0)),
    refillMs,
    vacancyMs: next.gapMs,
    takeoverMs: next.takeoverMs,
  }
}

/** Without a leader that acts, as far as its parts are known; null while it goes on, and where its vacancy is not known. */
export function transitionMs({ nextMs, vacancyMs, detectMs, refillMs, takeoverMs }: Transition): number | null {
  if (nextMs === null || vacancyMs === null) return null
  return (detectMs ?? 0) + (refillMs ?? 0) + vacancyMs + (takeoverMs ?? 0)
}

/** What its time lacks: that part took longer than nothing, and nobody knows how long. A refill is rare, and none is missed. */
export function unknownParts(transition: Omit<Transition, 'ref' | 'atMs' | 'cause'>): TransitionPart[] {
  const { kind, nextMs, detectMs, vacancyMs, takeoverMs } = transition
  return [
    ...(kind === 'failover' && detectMs === null ? (['detect'] as const) : []),
    ...(nextMs !== null && vacancyMs === null ? (['vacancy'] as const) : []),
    ...(nextMs !== null && takeoverMs === null ? (['takeover'] as const) : []),
  ]
}

/** A failover whose seat is still free. */
export const isOpen = ({ kind, nextMs }: Transition) => kind === 'failover' && nextMs === null
