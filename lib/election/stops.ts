/** Times in which a kill switch held its scope stopped, as the watcher saw them. */
import { latin1FromBase64 } from '../shared/bytes.ts'
import type { Instant } from '../shared/clock.ts'
import { isHolding, type StandingSwitch, type SwitchMatch, scopeMatches } from './scopes.ts'

export interface Stop {
  scope: string
  scopeBase64: string
  match: SwitchMatch
  /** Of the engaging; empty while the record could not be read. */
  nonce: string
  by: string
  reason: string
  from: Instant
  /** null while it holds. */
  to: Instant | null
  /** null while it holds. `vanished`: the record was gone, and nobody had released it. */
  ended: 'released' | 'vanished' | null
  /** Who released it. */
  endedBy: string | null
}

/** Every record that stands in etcd, as it was read at `at`. */
export interface StandingAt {
  at: Instant
  switches: readonly StandingSwitch[]
}

const keyOf = ({ scopeBase64, nonce }: Pick<Stop, 'scopeBase64' | 'nonce'>) => `${scopeBase64} ${nonce}`

/** What a reading says of the stops that hold. */
export function holdingStops({ at, switches }: StandingAt): Stop[] {
  return switches.filter(isHolding).map(({ scope, scopeBase64, match, record }) => ({
    scope,
    scopeBase64,
    match,
    nonce: record?.nonce ?? '',
    by: record?.by ?? '',
    reason: record?.reason ?? 'the record cannot be read',
    from: record?.at ?? at,
    to: null,
    ended: null,
    endedBy: null,
  }))
}

/** How a stop ended that a reading does not show any more. */
export function endedStop(stop: Stop, { at, switches }: StandingAt): Stop {
  const now = switches.find(({ scopeBase64 }) => scopeBase64 === stop.scopeBase64)
  const released = now?.state === 'released' ? now.record : null
  if (!released) return { ...stop, to: at, ended: now === undefined ? 'vanished' : 'released' }
  // A record of another writer may say it in its own fields alone.
  const { at: to, by } = released.released ?? released
  const second = released.released?.confirmedBy
  const endedBy = second ? `${by}, confirmed by ${second}` : by
  return { ...stop, to: to < stop.from ? at : to, ended: 'released', endedBy }
}

/** `open` after a reading: those that go on or began, and those that it ended. */
export function followStops(open: readonly Stop[], reading: StandingAt): { open: Stop[]; ended: Stop[] } {
  const holding = holdingStops(reading)
  const keys = new Set(holding.map(keyOf))
  const known = new Map(open.map((stop) => [keyOf(stop), stop]))
  return {
    open: holding.map((stop) => known.get(keyOf(stop)) ?? stop),
    ended: open.filter((stop) => !keys.has(keyOf(stop))).map((stop) => endedStop(stop, reading)),
  }
}

/** As it was told at `at`: what ended later held then. */
export function holdingAt(stop: Stop, at: Instant): Stop {
  return stop.to !== null && stop.to > at ? { ...stop, to: null, ended: null, endedBy: null } : stop
}

/** The records that held at `at`, as far as history keeps them. */
export function switchesAt(known: readonly Stop[], at: Instant): StandingSwitch[] {
  return known
    .filter(({ from, to }) => from <= at && (to === null || to > at))
    .map(({ scope, scopeBase64, match, nonce, by, reason, from }) => ({
      scope,
      scopeBase64,
      match,
      state: nonce === '' ? 'unreadable' : 'engaged',
      record: nonce === '' ? null : { by, reason, nonce, at: from, log: [] },
    }))
}

/** Whether it stopped the election with this prefix. */
export function stops({ scopeBase64, match }: Pick<Stop, 'scopeBase64' | 'match'>, prefixBase64: string): boolean {
  return scopeMatches(latin1FromBase64(scopeBase64), match, latin1FromBase64(prefixBase64))
}
