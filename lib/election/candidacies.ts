/** Who stood in a queue when: what a change did to it, as history records it. Pure. */
import { type Instant, later } from '../shared/clock.ts'
import type { ElectionChange } from './changes.ts'
import { findIn } from './queue.ts'
import type { Candidate, ElectionState } from './types.ts'

/** A stretch in which a key stood in the queue under one value and lease. Look-ups of its lease are not part of it. */
export interface Candidacy {
  epoch: number
  candidate: Candidate
  from: Instant
  /** null while it stands. Where it left unseen, the moment at which it was found to be gone. */
  to: Instant | null
}

/** What one change did to a queue. */
export interface QueueChange {
  at: Instant
  epoch: number
  /** `stand` is the whole queue: who else is still on record left unseen. */
  whole: boolean
  /** Came, or stand there under another value or lease. */
  stand: readonly Candidate[]
  /** keyBase64 of those that left. */
  left: readonly string[]
}

/** null where the queue stayed as it was. `before` is undefined for an election that is new. */
export function queueChange(
  before: ElectionState | undefined,
  after: ElectionState,
  change: ElectionChange,
): QueueChange | null {
  if (before === after) return null
  switch (change.type) {
    case 'opened':
    case 'relisted':
    case 'rolled-back':
      return { at: change.at, epoch: after.epoch, whole: true, stand: after.candidates, left: [] }
    case 'revision':
      return touched(before?.candidates ?? [], after, change)
    default:
      return null
  }
}

function touched(
  before: readonly Candidate[],
  after: ElectionState,
  { at, puts, deletes }: Extract<ElectionChange, { type: 'revision' }>,
): QueueChange | null {
  const was = findIn(before, puts.length + deletes.length)
  const now = findIn(after.candidates, puts.length)
  const stand = puts.flatMap(({ keyBase64 }) => now(keyBase64) ?? [])
  const left = deletes.filter((keyBase64) => was(keyBase64) !== undefined)
  return stand.length + left.length === 0 ? null : { at, epoch: after.epoch, whole: false, stand, left }
}

const isSame = ({ epoch, candidate }: Candidacy, other: Candidate, otherEpoch: number) =>
  epoch === otherEpoch && candidate.modRevision === other.modRevision

/** What is on record of one queue, after a change. A stretch that goes on is left as it is. */
export function withQueueChange(known: readonly Candidacy[], change: QueueChange): Candidacy[] {
  const { at, epoch, whole, stand, left } = change
  const standing = new Map(stand.map((candidate) => [candidate.keyBase64, candidate]))
  const gone = new Set(left)
  const kept = known.map((each) => {
    const { keyBase64 } = each.candidate
    const now = standing.get(keyBase64)
    const goesOn = now === undefined ? !whole && !gone.has(keyBase64) : isSame(each, now, epoch)
    if (each.to !== null) return each
    if (!goesOn) return { ...each, to: later(at, each.from) }
    standing.delete(keyBase64)
    return each
  })
  const fresh = [...standing.values()].map((candidate) => ({
    epoch,
    candidate: { ...candidate, ttl: null },
    from: at,
    to: null,
  }))
  return [...kept, ...fresh]
}
