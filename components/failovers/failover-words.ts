/** Causes and times of the Failovers page in words. */
import type { TransitionKind, TransitionPart } from '../../lib/election/transitions.ts'
import type { Cause } from '../../lib/election/types.ts'
import { type Instant, msOf } from '../../lib/shared/clock.ts'
import { brief, day, duration, timeOfDay } from '../../lib/shared/format.ts'
import type { ChangeKind } from '../charts/lane-geometry.ts'
import type { FailoverRow } from '../live/failovers.ts'

interface CauseWords {
  title: string
  note: string
  mark: ChangeKind
}

const CAUSES: Record<Cause, CauseWords> = {
  'lease lost': { title: 'Lease lost', note: 'expired or revoked', mark: 'failover' },
  expired: { title: 'Lease expired', note: 'proven', mark: 'failover' },
  'store rolled back': { title: 'Store rolled back', note: 'etcd was restored', mark: 'failover' },
  'resigned or removed': { title: 'Resigned or removed', note: 'key gone, lease alive', mark: 'resigned' },
  'handed off': { title: 'Handoff', note: 'planned, not a failover', mark: 'handoff' },
  revoked: { title: 'Revoked', note: 'forced by a person', mark: 'revoke' },
  'kill switch': { title: 'Kill switch', note: 'stopped by a person', mark: 'kill' },
  unobserved: { title: 'Unobserved', note: 'nobody can say why', mark: 'unobserved' },
}

/** A loss while it was stopped is no failover, and does not look like one. */
export function causeWords(cause: Cause, kind: TransitionKind): CauseWords {
  const words = CAUSES[cause]
  return kind === 'planned' && words.mark === 'failover'
    ? { ...words, note: 'while it was stopped', mark: 'kill' }
    : words
}

/** 8.2 s · 41 s so far · ≥ 0.4 s where a part is not known · –. */
export function timeWords(
  row: Pick<FailoverRow, 'at' | 'kind' | 'next' | 'totalMs' | 'unknownParts' | 'detectMs'>,
  now: Instant,
): string {
  if (row.next === null) return `${duration(msOf(now) - msOf(row.at))} so far`
  if (row.totalMs === null) return '–'
  return row.kind === 'failover' && row.unknownParts.length > 0 ? `≥ ${brief(row.totalMs)}` : brief(row.totalMs)
}

/** "detect, takeover not known"; empty when all of it is. */
export function unknownWords(parts: readonly TransitionPart[]): string {
  return parts.length === 0 ? '' : `${parts.join(' and ')} not known`
}

const called = (who: { identity: string; key: string }) =>
  who.identity === '' ? `…/${who.key.split('/').at(-1) ?? ''}` : who.identity

/** "idx-5 → idx-2"; two of one name are told apart by their tokens. */
export function changeOfHands({ former, next, by, cause }: FailoverRow): string {
  const to = next === null ? 'nobody' : called(next)
  const one = called(former)
  const hands = one === to && next !== null ? `${one} #${former.token} → ${to} #${next.token}` : `${one} → ${to}`
  return by === undefined || cause === 'unobserved' ? hands : `${hands}, by ${by}`
}

/** "02:31:31", with the day when it is another one than today. */
export function momentWords(at: Instant, now: Instant): string {
  return at.slice(0, 10) === now.slice(0, 10) ? timeOfDay(at) : `${day(at)} ${timeOfDay(at)}`
}

/** "99.98 %", with a third digit above 99.9: never rounded up. */
export function percentWords(share: number | null): string {
  if (share === null) return '–'
  const percent = share * 100
  if (percent >= 100) return '100 %'
  const digits = percent >= 99.9 ? 3 : 2
  return `${(Math.floor(percent * 10 ** digits) / 10 ** digits).toFixed(digits)} %`
}
