/** Everything under the watched prefixes at one revision, as far as this account may read it. */
import { EtcdError, type KeySpan, type KvPort, type PermissionPort } from '../../lib/election/ports.ts'
import type { Revision } from '../../lib/election/types.ts'
import { escapeLatin1, fromLatin1, latin1 } from '../../lib/shared/bytes.ts'
import type { ElectionIndex, Found } from './election-index.ts'
import type { Cursor } from './event-stream.ts'
import { type KeyRecord, recordOf } from './key-tree.ts'
import { listKeys, rangeOf } from './list-keys.ts'
import { permitted, spanWords } from './spans.ts'

const DEADLINE_MS = 15_000

export interface Listing {
  revision: Revision
  found: Found[]
  cursors: Cursor[]
  /** What of the watched prefixes can be read, where it is not all; null where it is. */
  limits: string | null
}

interface ListingOptions {
  etcd: KvPort & PermissionPort
  index: ElectionIndex
  /** latin1, none under another. */
  prefixes: readonly string[]
  signal: AbortSignal
}

/** Rejects with `EtcdError`; `denied` when nothing at all may be read. The index is changed only when all was read. */
export async function listAll({ etcd, index, prefixes, signal }: ListingOptions): Promise<Listing> {
  const parts: { prefix: string; spans: KeySpan[]; entries: [string, KeyRecord][] }[] = []
  let at: Revision | undefined
  for (const prefix of prefixes) {
    const whole = rangeOf(fromLatin1(prefix))
    const first = await listSpan(etcd, whole, { at, signal }).catch((error) => {
      if (error instanceof EtcdError && error.kind === 'denied') return null
      throw error
    })
    if (first !== null) {
      at ??= first.revision
      parts.push({ prefix, spans: [whole], entries: first.entries })
      continue
    }
    const allowed = await etcd.readable({ deadlineMs: DEADLINE_MS, signal })
    const spans = permitted(whole, allowed ?? [])
    const entries: [string, KeyRecord][] = []
    for (const span of spans) {
      const page = await listSpan(etcd, span, { at, signal })
      at ??= page.revision
      for (const entry of page.entries) entries.push(entry)
    }
    parts.push({ prefix, spans, entries })
  }
  if (at === undefined) throw new EtcdError('denied', `this account may read nothing of ${words(prefixes)}`, '')
  const revision = at
  return {
    revision,
    found: parts.flatMap(({ prefix, entries }) => index.replace(prefix, entries)),
    cursors: parts.flatMap(({ spans }) => spans.map((range) => ({ range, seen: revision }))),
    limits: limitsOf(parts),
  }
}

async function listSpan(
  etcd: KvPort,
  span: KeySpan,
  { at, signal }: { at: Revision | undefined; signal: AbortSignal },
): Promise<{ revision: Revision; entries: [string, KeyRecord][] }> {
  const entries: [string, KeyRecord][] = []
  let revision = at
  for await (const page of listKeys(etcd, span, { deadlineMs: DEADLINE_MS, signal, ...(at ? { at } : {}) })) {
    revision ??= page.header.revision
    for (const kv of page.kvs) entries.push([latin1(kv.key), recordOf(kv)])
  }
  if (revision === undefined) throw new EtcdError('other', 'etcd answered a listing with nothing', '')
  return { revision, entries }
}

const words = (prefixes: readonly string[]) =>
  prefixes.map((prefix) => escapeLatin1(prefix) || 'the whole key space').join(', ')

function limitsOf(parts: readonly { prefix: string; spans: readonly KeySpan[] }[]): string | null {
  const limited = parts.filter(({ prefix, spans }) => {
    const whole = rangeOf(fromLatin1(prefix))
    return (
      spans.length !== 1 ||
      spans[0] === undefined ||
      latin1(spans[0].key) !== latin1(whole.key) ||
      latin1(spans[0].end) !== latin1(whole.end)
    )
  })
  if (limited.length === 0) return null
  const each = limited.map(({ prefix, spans }) => {
    const seen = spans.length === 0 ? 'nothing' : spans.map(spanWords).join(', ')
    return `of ${words([prefix])} this account may read ${seen}`
  })
  return `limited by permissions: ${each.join('; ')}`
}
