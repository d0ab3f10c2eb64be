/** Which elections a kill switch stops. Without the schema of its record, so that browsers can ask as well. */
import { latin1FromBase64 } from '../shared/bytes.ts'
import type { Instant } from '../shared/clock.ts'
import type { Revision } from './types.ts'

export type SwitchMatch = 'exact' | 'prefix'

export const SWITCH_MODES = ['cooperative', 'enforced'] as const
export type SwitchMode = (typeof SWITCH_MODES)[number]

export interface SwitchStep {
  at: Instant
  by: string
  operation: string
  what: 'engaged' | 'engaged again' | 'extended' | 'released' | 'armed'
  reason: string
  until: Instant | null
}

export interface SwitchReleased {
  at: Instant
  by: string
  /** The second person. */
  confirmedBy?: string | undefined
  reason: string
  operation: string
}

/** A record as it stands in etcd. One that cannot be read counts as engaged for everything below its scope. */
export interface StandingSwitch {
  scope: string
  scopeBase64: string
  state: 'engaged' | 'released' | 'unreadable'
  match: SwitchMatch
  /** At which it was written; as told by a server, always there. */
  modRevision?: Revision
  /** null when the record cannot be read. */
  record: {
    reason: string
    by: string
    at: Instant
    /** Not kept of the past. */
    until?: Instant
    nonce: string
    /** Not kept of the past. */
    mode?: SwitchMode
    /** What was done to it, oldest first: the newest 50, and of a cluster's `switches` the newest 10. */
    log: readonly SwitchStep[]
    released?: SwitchReleased
  } | null
}

/** `scope` and `prefix` are latin1. */
export function scopeMatches(scope: string, match: SwitchMatch, prefix: string): boolean {
  if (scope === prefix) return true
  if (match === 'exact') return false
  if (scope === '') return true
  return prefix.startsWith(scope) && (scope.endsWith('/') || prefix[scope.length] === '/')
}

export function isHolding({ state }: StandingSwitch): boolean {
  return state !== 'released'
}

/** The switch that stops an election: of several, the one with the narrowest scope; null when none does. */
export function stoppedBy(prefixBase64: string, switches: readonly StandingSwitch[]): StandingSwitch | null {
  const holding = switches.filter(isHolding)
  if (holding.length === 0) return null
  const prefix = latin1FromBase64(prefixBase64)
  return holding
    .filter(({ scopeBase64, match }) => scopeMatches(latin1FromBase64(scopeBase64), match, prefix))
    .reduce<StandingSwitch | null>(
      (narrowest, each) => (narrowest && narrowest.scopeBase64.length >= each.scopeBase64.length ? narrowest : each),
      null,
    )
}
