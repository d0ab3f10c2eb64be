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
  let { at } = options
  let size = FIRST_PAGE
  const ask = (key: Uint8Array) => kv.range({ key, end: range.end, limit: size, ...(at ? { at } : {}) }, options)
  let next: Promise<RangeAnswer> | null = ask(range.key)
  while (next !== null) {
    const page: RangeAnswer = await next
    at ??= page.header.revision
    const last = page.kvs.at(-1)
    next = null
    if (page.more && last !== undefined) {
      const bytes = page.kvs.reduce((sum, kv) => sum + kv.key.length + kv.value.length, 0)
      size = nextPageSize(size, bytes)
      // The smallest key after the last one; etcd reads on while this page is worked on.
      next = ask(Uint8Array.from([...last.key, 0]))
      // Should nobody come for it, its failure is nobody's.
      next.catch(() => undefined)
    }
    yield page
  }
}
