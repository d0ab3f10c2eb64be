/** An election as it was at a moment of the past, put together from what history kept. Pure. */
import { elapsedMs, type Instant, instant, msOf } from '../shared/clock.ts'
import { compareDecimal } from '../shared/decimal.ts'
import { ZERO } from './ids.ts'
import { competitors, inQueueOrder, leaderOf } from './queue.ts'
import { kindOf } from './status.ts'
import { KEEP } from './terms.ts'
import type { Candidate, ElectionState, Gap, Kind, Term } from './types.ts'

const HOUR_MS = 3_600_000

/** An election without a key is of no interest for longer than this. */
export const EMPTY_FOR_MS: Readonly<Record<Kind, number>> = {
  election: 24 * HOUR_MS,
  mutex: 600_000,
  unconfirmed: 600_000,
}

export interface Kept {
  identity: Pick<ElectionState, 'ref' | 'layout' | 'prefix' | 'prefixBase64' | 'foundBy' | 'confirmed'>
  /** Of the whole cluster at that time. */
  epoch: number
  /** Those that stood in the queue then, in any order, without look-ups. */
  candidates: readonly Candidate[]
  /** Oldest first: the one that was open, the newest that had ended, and those of the hour before. */
  terms: readonly Term[]
  failovers: readonly Instant[]
  /** Gaps of the hour before. */
  gaps: readonly Gap[]
}

/** null when it was of no interest any more: it had had no key for long. */
export function pastElection(kept: Kept, at: Instant): ElectionState | null {
  const candidates = inQueueOrder(kept.candidates)
  const terms = kept.terms.filter(({ from }) => from <= at).map((term) => asOf(term, at))
  const ended = terms.filter(({ to }) => to !== null)
  const last = ended.at(-1)
  const term = carriedBy(candidates, terms.find(({ to }) => to === null) ?? null, kept.epoch)
  const state: ElectionState = {
    ...kept.identity,
    epoch: kept.epoch,
    revision: candidates.reduce((newest, { modRevision }) => higher(newest, modRevision), terms.at(-1)?.token ?? ZERO),
    candidates,
    term,
    ended: ended.slice(-KEEP.terms),
    gaps: kept.gaps.map((gap) => until(gap, at)).slice(-KEEP.gaps),
    failovers: kept.failovers.slice(-KEEP.failovers),
    leaderlessSince: term === null ? (last?.to ?? candidates[0]?.since ?? at) : null,
    lastOrdinal: terms.at(-1)?.ordinal ?? 0,
    valuesEmpty:
      terms.every(({ leader }) => leader.identity === '') &&
      competitors(candidates).every(({ valueBytes }) => valueBytes === 0),
    claims: [],
  }
  const isOver = candidates.length === 0
  return isOver && (last?.to ? elapsedMs(last.to, at) : Infinity) > EMPTY_FOR_MS[kindOf(state)] ? null : state
}

const higher = <Text extends string>(a: Text, b: Text) => (compareDecimal(a, b) < 0 ? b : a)

/** What was not over then had no end, and what its end told was not known. */
function asOf(term: Term, at: Instant): Term {
  if (term.to !== null && term.to <= at) return term
  const { takeoverMs, refillMs: _, ...open } = term
  const tookOver = takeoverMs !== null && msOf(term.from) + takeoverMs <= msOf(at)
  return { ...open, to: null, takeoverMs: tookOver ? takeoverMs : null, silentMs: null, endedBy: null }
}

/** Who leads is what the queue says; a term remembers its leader's newest value and lease, the queue those of then. */
function carriedBy(queue: readonly Candidate[], term: Term | null, epoch: number): Term | null {
  const head = leaderOf(queue)
  if (term === null || head === null || term.token !== head.createRevision || term.epoch !== epoch) return null
  const { identity, key, keyBase64, lease } = head
  return { ...term, leader: { identity, key, keyBase64, lease } }
}

/** A gap that went on then had not ended. */
export function until(gap: Gap, at: Instant): Gap {
  return gap.to > at ? { ...gap, to: at } : gap
}

/** The windows before `at` that a state looks back on. */
export function windowsOf(at: Instant): { hour: Instant; day: Instant } {
  return { hour: instant(msOf(at) - HOUR_MS), day: instant(msOf(at) - 24 * HOUR_MS) }
}
