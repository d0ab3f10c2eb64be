import type { CallOptions, KvPort, RangeAnswer } from '../../lib/election/ports.ts'
import type { Revision } from '../../lib/election/types.ts'

const FIRST_PAGE = 128
const LARGEST_PAGE = 4_096
const LARGE_BYTES = 4 * 1024 * 1024

export interface KeyRange {
  key: Uint8Array
  end: Uint8Array
}

/** The range of all keys that start with `prefix`; an empty prefix is the whole key space. */
export function rangeOf(prefix: Uint8Array): KeyRange {
  const zero = Uint8Array.of(0)
  if (prefix.length === 0) return { key: zero, end: zero }
  const end = Uint8Array.from(prefix)
  for (let at = end.length - 1; at >= 0; at -= 1) {
    const byte = end[at] ?? 0
    if (byte < 0xff) {
      end[at] = byte + 1
      return { key: prefix, end: end.slice(0, at + 1) }
    }
  }
  return { key: prefix, end: zero }
}

/** Page sizes that follow the weight of the keys, so that no answer outgrows gRPC's message limit. */
export function nextPageSize(size: number, answeredBytes: number): number {
  return answeredBytes > LARGE_BYTES ? Math.max(1, size >> 1) : Math.min(LARGEST_PAGE, size << 1)
}

/** All keys of a range in pages, every page read at one revision: `at`, or that of the first answer. */
export async function* listKeys(
  kv: KvPort,
  range: KeyRange,
  options: CallOptions & { at?: Revision },
): AsyncGenerator<RangeAnswer> {
  let { key } = range
  let pinned = options.at
  let size = FIRST_PAGE
  for (;;) {
    const page: RangeAnswer = await kv.range(
      { key, end: range.end, limit: size, ...(pinned ? { at: pinned } : {}) },
      options,
    )
    pinned ??= page.header.revision
    yield page
    const last = page.kvs.at(-1)
    if (!page.more || last === undefined) return
    const bytes = page.kvs.reduce((sum, kv) => sum + kv.key.length + kv.value.length, 0)
    size = nextPageSize(size, bytes)
    // The smallest key after the last one.
    key = Uint8Array.from([...last.key, 0])
  }
}
