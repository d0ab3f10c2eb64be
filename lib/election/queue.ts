/** The queue of one election: every key under its prefix, oldest create revision first. */
import { compareDecimal } from '../shared/decimal.ts'
import type { Candidate } from './types.ts'

// Keys of one transaction share a create revision; etcd leaves their order open and answers by key.
function compare(a: Candidate, b: Candidate): number {
  return compareDecimal(a.createRevision, b.createRevision) || (atob(a.keyBase64) < atob(b.keyBase64) ? -1 : 1)
}

export function inQueueOrder(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.length < 2 ? candidates : candidates.toSorted(compare)
}

function insert(queue: Candidate[], candidate: Candidate): void {
  const last = queue.at(-1)
  if (last === undefined || compare(last, candidate) < 0) queue.push(candidate)
  else {
    const at = queue.findIndex((other) => compare(candidate, other) < 0)
    queue.splice(at, 0, candidate)
  }
}

/** The queue with `added` in their places; a key that is there already is replaced. */
export function withCandidates(queue: readonly Candidate[], added: readonly Candidate[]): readonly Candidate[] {
  if (added.length === 0) return queue
  const next = withoutCandidates(queue, added).slice()
  if (added.length < 8) for (const candidate of added) insert(next, candidate)
  else next.push(...added)
  return added.length < 8 ? next : next.sort(compare)
}

export function withoutCandidates(queue: readonly Candidate[], gone: readonly Candidate[]): readonly Candidate[] {
  if (gone.length === 0) return queue
  const keys = new Set(gone.map((candidate) => candidate.keyBase64))
  return queue.filter((candidate) => !keys.has(candidate.keyBase64))
}

/** Looks keys up, `times` times: an index pays only for many. */
export function findIn(candidates: readonly Candidate[], times: number): (keyBase64: string) => Candidate | undefined {
  if (times < 8) return (keyBase64) => candidates.find((candidate) => candidate.keyBase64 === keyBase64)
  const byKey = new Map(candidates.map((candidate) => [candidate.keyBase64, candidate]))
  return (keyBase64) => byKey.get(keyBase64)
}

export function headOf(queue: readonly Candidate[]): Candidate | null {
  return queue[0] ?? null
}

/** The oldest key leads, unless it belongs to an election nested deeper, or a stop holds it: then nobody does. */
export function leaderOf(queue: readonly Candidate[]): Candidate | null {
  const head = headOf(queue)
  return head === null || head.nested || head.held ? null : head
}

/** The oldest key, when an enforced stop holds it. */
export function heldHeadOf(queue: readonly Candidate[]): Candidate | null {
  const head = headOf(queue)
  return head?.held && !head.nested ? head : null
}

/** The key that keeps the first candidate of this election from leading. */
export function blockerOf(queue: readonly Candidate[]): Candidate | null {
  const head = headOf(queue)
  return head?.nested ? head : null
}

function competes({ nested, held }: Candidate): boolean {
  return !nested && !held
}

/** Those that compete for this seat, without the keys of nested elections and what a stop holds. */
export function competitors(queue: readonly Candidate[]): Candidate[] {
  return queue.filter(competes)
}

export function nextUpOf(queue: readonly Candidate[]): Candidate | null {
  if (leaderOf(queue) === null) return queue.find(competes) ?? null
  // A nested or held key that is next in the queue lets nobody lead after the leader.
  const second = queue[1]
  return second === undefined || !competes(second) ? null : second
}
