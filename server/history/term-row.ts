/** A term as a row, and back. */
import type { Selectable } from 'kysely'
import type { Cause, LeaseId, Revision, Term } from '../../lib/election/types.ts'
import { instant } from '../../lib/shared/clock.ts'
import type { Params } from './database.ts'
import type { TermsTable } from './schema.ts'

export type TermRow = Selectable<TermsTable>

const numberOrNull = (value: bigint | null) => (value === null ? null : Number(value))

/** Throws on a token or a time that is none. */
export function paramsOf(term: Term): Params {
  return {
    epoch: term.epoch,
    token: BigInt(term.token),
    ordinal: term.ordinal,
    identity: term.leader.identity,
    key: term.leader.key,
    key_base64: term.leader.keyBase64,
    lease: term.leader.lease,
    from_ms: epochMs(term.from),
    from_at_least: term.fromAtLeast ? 1 : 0,
    to_ms: term.to === null ? null : epochMs(term.to),
    gap_ms: term.gapMs,
    takeover_ms: term.takeoverMs,
    silent_ms: term.silentMs,
    refill_ms: term.refillMs ?? null,
    cause: term.endedBy?.cause ?? null,
    ended_by: term.endedBy?.by ?? null,
    evidence: term.endedBy?.evidence ?? null,
    during_stop: term.endedBy?.duringStop ? 1 : null,
  }
}

export function termOf(row: TermRow): Term {
  return {
    ordinal: Number(row.ordinal),
    epoch: Number(row.epoch),
    token: row.token.toString() as Revision,
    leader: { identity: row.identity, key: row.key, keyBase64: row.key_base64, lease: row.lease as LeaseId | null },
    from: instant(Number(row.from_ms)),
    fromAtLeast: row.from_at_least === 1n,
    to: row.to_ms === null ? null : instant(Number(row.to_ms)),
    gapMs: numberOrNull(row.gap_ms),
    takeoverMs: numberOrNull(row.takeover_ms),
    silentMs: numberOrNull(row.silent_ms),
    ...(row.refill_ms === null ? {} : { refillMs: Number(row.refill_ms) }),
    endedBy: endedByOf(row),
  }
}

function endedByOf(row: TermRow): Term['endedBy'] {
  if (row.cause === null) return null
  return {
    cause: row.cause as Cause,
    ...(row.ended_by === null ? {} : { by: row.ended_by }),
    evidence: row.evidence ?? '',
    ...(row.during_stop === null ? {} : { duringStop: true as const }),
  }
}

/** Milliseconds since 1970; throws a `RangeError` instead of storing NaN. */
export function epochMs(at: string): number {
  const ms = Date.parse(at)
  if (Number.isNaN(ms)) throw new RangeError(`"${at}" is not a time`)
  return ms
}
