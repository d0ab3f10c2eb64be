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
  /**
   * Without a leader that acts, as far as its parts are known; null while it goes on, and where its vacancy is not
   * known.
   */
  totalMs: number | null
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

export function transitionTotalMs(nextMs: number | null, parts: TransitionParts): number | null {
  if (nextMs === null || parts.vacancyMs === null) return null
  return (parts.detectMs ?? 0) + (parts.refillMs ?? 0) + parts.vacancyMs + (parts.takeoverMs ?? 0)
}

type Known = Pick<Transition, 'kind' | 'nextMs' | 'detectMs' | 'vacancyMs' | 'takeoverMs'>

/** It lacks a part, so that it took longer than it counts for. A refill is rare, and none goes unnoticed. */
export function isPartly({ kind, nextMs, detectMs, vacancyMs, takeoverMs }: Known): boolean {
  return (kind === 'failover' && detectMs === null) || (nextMs !== null && (vacancyMs === null || takeoverMs === null))
}

/** Which parts those are. */
export function unknownParts({ kind, nextMs, detectMs, vacancyMs, takeoverMs }: Known): TransitionPart[] {
  return [
    ...(kind === 'failover' && detectMs === null ? (['detect'] as const) : []),
    ...(nextMs !== null && vacancyMs === null ? (['vacancy'] as const) : []),
    ...(nextMs !== null && takeoverMs === null ? (['takeover'] as const) : []),
  ]
}

/** A failover whose seat is still free. */
export const isOpen = ({ kind, nextMs }: Transition) => kind === 'failover' && nextMs === null
