/** An election as etcd has it now: one linearizable read of its keys, of what candidates say there, and of a request. */
import { parseRef } from '../../lib/election/ids.ts'
import type { Header, KeyValue, Op } from '../../lib/election/ports.ts'
import { type Presence, presence } from '../../lib/election/presence.ts'
import type { ElectionRef, LeaseId, Revision } from '../../lib/election/types.ts'
import { fromLatin1, latin1 } from '../../lib/shared/bytes.ts'
import type { Reach } from './reach.ts'

export const READ_WITHIN_MS = 2_000
/** Of a longer queue, those who lead next. */
const MOST_KEYS = 500

export interface PresentCandidate {
  lease: LeaseId
  /** null: it cannot be read, so nothing is known of it. */
  says: Presence | null
  modRevision: Revision
}

export interface ElectionNow {
  header: Header
  /** Oldest create revision first, keys of nested elections included; a single key alone. */
  keys: readonly KeyValue[]
  present: ReadonlyMap<LeaseId, PresentCandidate>
  /** Of `<metaPrefix>handoff/<prefix>`. */
  request: KeyValue | null
}

/** Rejects with `EtcdError`. */
export async function readElection(
  { etcd, metaPrefix }: Pick<Reach, 'etcd' | 'metaPrefix'>,
  ref: ElectionRef,
  signal: AbortSignal,
): Promise<ElectionNow> {
  const { layout, prefixLatin1 } = parseRef(ref)
  const ownPresence = `${metaPrefix}presence/${prefixLatin1}/`
  const success: Op[] = [
    { type: 'range', request: { ...spanOf(layout, prefixLatin1), order: 'oldest-first', limit: MOST_KEYS } },
    { type: 'range', request: spanOf('queue', ownPresence) },
    { type: 'range', request: { key: fromLatin1(`${metaPrefix}handoff/${prefixLatin1}`) } },
  ]
  const answer = await etcd.txn({ compare: [], success }, { deadlineMs: READ_WITHIN_MS, signal })
  const [keys = [], said = [], [request] = []] = answer.ranges
  const present = said.flatMap((kv) => presentFrom(kv, ownPresence))
  return {
    header: answer.header,
    keys,
    present: new Map(present.map((each) => [each.lease, each])),
    request: request ?? null,
  }
}

/** Everything under a queue's prefix, or the single key. The byte after "/" is "0". */
export function spanOf(layout: 'queue' | 'single-key', prefixLatin1: string): { key: Uint8Array; end?: Uint8Array } {
  const key = fromLatin1(prefixLatin1)
  return layout === 'single-key' ? { key } : { key, end: fromLatin1(`${prefixLatin1.slice(0, -1)}0`) }
}

/** Presence of elections nested deeper lies in the same range: only names without another "/" are of this one. */
function presentFrom({ key, value, lease, modRevision }: KeyValue, ownPresence: string): PresentCandidate[] {
  const name = latin1(key).slice(ownPresence.length)
  if (name.includes('/') || lease === null) return []
  return [{ lease, says: presenceFrom(value), modRevision }]
}

export function presenceFrom(value: Uint8Array): Presence | null {
  try {
    const parsed = presence.safeParse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(value)))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
