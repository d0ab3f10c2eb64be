/** From recorded events to the true terms: whoever's key is oldest leads, and nothing else decides. */
import type { RecordedEvent, RecordedRevision, Seat, TrueEvent, TrueTerm, Truth } from './model.ts'

interface Key {
  key: string
  created: number
  lease: string
  value: string
}

const isIn = ({ layout, prefix }: Seat, key: string) => (layout === 'queue' ? key.startsWith(prefix) : key === prefix)
/** A key of an election nested below a queue: it blocks the queue, but is no candidate of it. */
const isNested = ({ layout, prefix }: Seat, key: string) => layout === 'queue' && key.includes('/', prefix.length)

/** The key that leads the seat, if any does: the oldest one, unless it belongs to a nested election. */
export function leaderAmong(seat: Seat, keys: Iterable<Key>): Key | null {
  let oldest: Key | null = null
  for (const key of keys) {
    if (!isIn(seat, key.key)) continue
    if (oldest === null || key.created < oldest.created || (key.created === oldest.created && key.key < oldest.key)) {
      oldest = key
    }
  }
  return oldest === null || isNested(seat, oldest.key) ? null : oldest
}

/** All keys as the recorded events leave them. */
export class Keys {
  readonly all = new Map<string, Key>()

  apply({ type, key, created, lease, value }: RecordedEvent): void {
    if (type === 'delete') this.all.delete(key)
    else this.all.set(key, { key, created, lease, value })
  }
}

function eventOf({ type, key, created }: RecordedEvent, { revision, atMs }: RecordedRevision): TrueEvent {
  const what = type === 'delete' ? 'candidate-left' : created === revision ? 'candidate-joined' : 'proclaimed'
  return { type: what, revision, key, atMs }
}

function begin(leader: Key, atMs: number): TrueTerm {
  const { created: token, key, lease, value: identity } = leader
  return { token, key, lease, identity, fromMs: atMs, toMs: null, toRevision: null, leaseLevel: false }
}

function end(term: TrueTerm, { revision, atMs, events }: RecordedRevision): void {
  term.toMs = atMs
  term.toRevision = revision
  term.leaseLevel = events.filter(({ type, lease }) => type === 'delete' && lease === term.lease).length > 1
}

/** `revisions` in order and without a hole. */
export function replay(revisions: readonly RecordedRevision[], seats: readonly Seat[]): Truth[] {
  const keys = new Keys()
  const truths = seats.map((seat): Truth => ({ seat, terms: [], events: [] }))
  for (const recorded of revisions) {
    for (const event of recorded.events) keys.apply(event)
    for (const { seat, terms, events } of truths) {
      const own = recorded.events.filter(({ key }) => isIn(seat, key))
      if (own.length === 0) continue
      for (const event of own) if (!isNested(seat, event.key)) events.push(eventOf(event, recorded))
      const leader = leaderAmong(seat, keys.all.values())
      const last = terms.at(-1)
      const open = last?.toMs === null ? last : undefined
      if (open !== undefined && open.token === leader?.created) open.lease = leader.lease
      else {
        if (open !== undefined) end(open, recorded)
        if (leader !== null) terms.push(begin(leader, recorded.atMs))
      }
    }
  }
  return truths
}

/** Says which revisions are missing between the first and the last; etcd skips none. */
export function holesIn(revisions: readonly RecordedRevision[]): number[] {
  const holes: number[] = []
  for (const [at, { revision }] of revisions.entries()) {
    const before = revisions[at - 1]?.revision ?? revision - 1
    for (let missing = before + 1; missing < revision; missing += 1) holes.push(missing)
  }
  return holes
}
