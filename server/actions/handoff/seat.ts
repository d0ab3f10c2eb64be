/** Who leads and who waits, as one read of etcd shows it. */
import type { HandoffTarget, SeenLeader } from '../../../lib/election/actions.ts'
import { parseRef, shown } from '../../../lib/election/ids.ts'
import { identityOf } from '../../../lib/election/layouts.ts'
import type { KeyValue } from '../../../lib/election/ports.ts'
import type { Presence } from '../../../lib/election/presence.ts'
import { isHeld } from '../../../lib/election/switches.ts'
import { escapeLatin1, latin1 } from '../../../lib/shared/bytes.ts'
import type { ElectionNow } from '../read-election.ts'

export interface Place extends SeenLeader {
  /** Its key lies in an election nested deeper: it blocks the queue and never leads. */
  isNested: boolean
  /** What the candidate library says on its lease; null for a foreign client and for what cannot be read. */
  says: Presence | null
}

export interface Seats {
  /** null: nobody leads. */
  leader: Place | null
  /** A kill switch holds the seat. */
  isHeld: boolean
  /** In queue order, nested keys among them. */
  waiters: readonly Place[]
}

export function seatsOf(ref: string, now: ElectionNow, metaPrefix: string): Seats {
  const { layout, prefixLatin1 } = parseRef(ref)
  const places = now.keys.map((kv) => {
    const rest = latin1(kv.key).slice(prefixLatin1.length)
    return placeOf(kv, layout === 'queue' && rest.includes('/'), sayingOf(kv, now, metaPrefix))
  })
  const [head, ...waiters] = places
  const [first] = now.keys
  if (head === undefined || first === undefined) return { leader: null, isHeld: false, waiters: [] }
  if (head.isNested) return { leader: null, isHeld: false, waiters: places }
  return { leader: head, isHeld: isHeld(first), waiters }
}

function placeOf(kv: KeyValue, isNested: boolean, says: Presence | null): Place {
  const { text: key, base64: keyBase64 } = shown(latin1(kv.key))
  const { lease, createRevision, modRevision } = kv
  return { identity: identityOf(kv.value), key, keyBase64, lease, createRevision, modRevision, isNested, says }
}

/** A library that reads another meta prefix would never see a request. */
function sayingOf({ lease }: KeyValue, { present }: ElectionNow, metaPrefix: string): Presence | null {
  const says = lease === null ? null : (present.get(lease)?.says ?? null)
  return says?.metaPrefix === escapeLatin1(metaPrefix) ? says : null
}

export function seenOf({ identity, key, keyBase64, lease, createRevision, modRevision }: SeenLeader): SeenLeader {
  return { identity, key, keyBase64, lease, createRevision, modRevision }
}

/** Those who wait, and whether a request may name them. */
export function targetsOf({ waiters }: Seats): HandoffTarget[] {
  const targets: HandoffTarget[] = []
  let foreign: Place | null = null
  for (const [at, waiter] of waiters.entries()) {
    if (!waiter.isNested) {
      const why = whyNoTarget(waiter, foreign)
      const isLibrary = waiter.says !== null
      const { identity, key, keyBase64, lease, createRevision } = waiter
      const common = { identity, key, keyBase64, lease, createRevision, place: at + 2, isLibrary }
      targets.push({ ...common, offered: why === null, why: why ?? whyTarget(at, waiters) })
    }
    if (waiter.says === null || waiter.isNested) foreign ??= waiter
  }
  return targets
}

function whyNoTarget(waiter: Place, foreign: Place | null): string | null {
  if (waiter.lease === null) return 'Its key has no lease, so nobody knows whether it lives.'
  if (foreign === null) return null
  return `${foreign.identity || foreign.key} stands before it and does not use the candidate library: it would not yield.`
}

function whyTarget(at: number, waiters: readonly Place[]): string {
  if (at === 0) return 'Leads as soon as the leader’s key is gone.'
  const before = waiters.slice(0, at).map(({ identity }) => identity)
  return `${before.length === 1 ? before[0] : `${before.length} candidates`} would queue again behind this one first.`
}
