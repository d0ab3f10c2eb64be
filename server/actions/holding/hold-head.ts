/**
 * Holding the head: the oldest key of an election is put again without a lease, so that nobody leads and
 * everybody keeps their place. Every write compares what was read, and the switch records with it.
 */
import { parseRef } from '../../../lib/election/ids.ts'
import { identityOf } from '../../../lib/election/layouts.ts'
import type { Compare, KeyValue } from '../../../lib/election/ports.ts'
import { type HeldMark, heldValue, readHeld } from '../../../lib/election/switches.ts'
import type { ElectionRef, Revision } from '../../../lib/election/types.ts'
import { fromLatin1, latin1, utf8 } from '../../../lib/shared/bytes.ts'
import { nextDecimal } from '../../../lib/shared/decimal.ts'
import { spanOfSwitches } from '../../watch/switch-watch.ts'
import type { Reach } from '../reach.ts'
import { READ_WITHIN_MS, spanOf } from '../read-election.ts'

/** Others may move the head between a look and a write, each time. */
const TRIES = 20
const MOST_HELD = 50

export interface HeadNow {
  revision: Revision
  switches: readonly KeyValue[]
  /** Oldest first. */
  keys: readonly KeyValue[]
  /** Presence keys. */
  said: readonly KeyValue[]
}

export type Etcd = Pick<Reach, 'etcd' | 'metaPrefix'>

/** The switches and the oldest keys, at one revision. Rejects with `EtcdError`. */
export async function lookAtHead({ etcd, metaPrefix }: Etcd, ref: ElectionRef, signal: AbortSignal): Promise<HeadNow> {
  const { layout, prefixLatin1 } = parseRef(ref)
  const { header, ranges } = await etcd.txn(
    {
      compare: [],
      success: [
        { type: 'range', request: spanOfSwitches(metaPrefix) },
        { type: 'range', request: { ...spanOf(layout, prefixLatin1), order: 'oldest-first', limit: MOST_HELD } },
        { type: 'range', request: spanOf('queue', `${metaPrefix}presence/${prefixLatin1}/`) },
      ],
    },
    { deadlineMs: READ_WITHIN_MS, signal },
  )
  const [switches = [], keys = [], said = []] = ranges
  return { revision: header.revision, switches, keys, said }
}

export type Held =
  | { is: 'held'; kv: KeyValue; mark: HeldMark }
  /** `was`: whose key it was, null where the seat was empty. */
  | { is: 'held now'; was: KeyValue | null; revision: Revision }
  /** Another stop held it: now it is told by the one that means it. */
  | { is: 'relabelled' }
  /** A key of a nested election is the oldest: nobody leads, and it is none of this election's. */
  | { is: 'nested' }
  | { is: 'not meant' }

/** The stop for which a key is held. */
export type HoldFor = Pick<HeldMark, 'nonce' | 'operation' | 'by'>

/** The mark for these switches; null when no stop means to hold this election any more. */
export type Meant = (switches: readonly KeyValue[], revision: Revision) => HoldFor | null

/** Rejects with `EtcdError`, and when others moved the head each time. */
export async function holdHead(reach: Etcd, ref: ElectionRef, meant: Meant, signal: AbortSignal): Promise<Held> {
  const { layout, prefixLatin1 } = parseRef(ref)
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const now = await lookAtHead(reach, ref, signal)
    const [head] = now.keys
    const held = head === undefined ? null : readHeld(head)
    if (head !== undefined && latin1(head.key).slice(prefixLatin1.length).includes('/') && layout === 'queue') {
      return { is: 'nested' }
    }
    const mark = meant(now.switches, now.revision)
    if (mark === null) return { is: 'not meant' }
    if (head !== undefined && held?.nonce === mark.nonce) return { is: 'held', kv: head, mark: held }
    const former = held ?? formerOf(head, now)
    const key = head?.key ?? fromLatin1(layout === 'queue' ? `${prefixLatin1}~halt` : prefixLatin1)
    const put = { type: 'put' as const, key, value: utf8(heldValue({ ...former, ...mark, layout })), lease: null }
    const compare = [...sameSwitches(reach, now.revision), ...sameHead(spanOf(layout, prefixLatin1), head)]
    const { succeeded, header } = await reach.etcd.txn(
      { compare, success: [put] },
      { deadlineMs: READ_WITHIN_MS, signal },
    )
    if (succeeded && held !== null) return { is: 'relabelled' }
    if (succeeded) return { is: 'held now', was: head ?? null, revision: header.revision }
  }
  throw new Error('its head moved each time')
}

function formerOf(head: KeyValue | undefined, { said }: HeadNow): Pick<HeldMark, 'lease' | 'library' | 'identity'> {
  if (head === undefined) return { lease: null, library: false, identity: '' }
  const library = head.lease !== null && said.some(({ lease }) => lease === head.lease)
  return { lease: head.lease, library, identity: identityOf(head.value) }
}

/** Deletes held keys that nobody means to hold, and says when; null when something moved meanwhile. */
export async function letGo(
  reach: Etcd,
  now: HeadNow,
  held: readonly KeyValue[],
  signal: AbortSignal,
): Promise<Revision | null> {
  const { succeeded, header } = await reach.etcd.txn(
    {
      compare: [...sameSwitches(reach, now.revision), ...held.flatMap((kv) => sameKey(kv))],
      success: held.map(({ key }) => ({ type: 'delete', key })),
    },
    { deadlineMs: READ_WITHIN_MS, signal },
  )
  return succeeded ? header.revision : null
}

/** No record was written since. One that was deleted leaves no trace: that is told, and releases nothing. */
function sameSwitches({ metaPrefix }: Etcd, revision: Revision): Compare[] {
  return [{ ...spanOfSwitches(metaPrefix), field: 'mod', is: 'less', to: nextDecimal(revision) as Revision }]
}

function sameHead(span: { key: Uint8Array; end?: Uint8Array }, head: KeyValue | undefined): Compare[] {
  return head === undefined ? [{ ...span, field: 'create', is: 'equal', to: '0' as Revision }] : sameKey(head)
}

function sameKey({ key, createRevision, modRevision }: KeyValue): Compare[] {
  return [
    { key, field: 'create', is: 'equal', to: createRevision },
    { key, field: 'mod', is: 'equal', to: modRevision },
  ]
}
