/** How soon to watch again: at once after a stream that lasted, ever more slowly after ones that broke quickly. */
import type { EtcdErrorKind } from '../../lib/election/ports.ts'

/** A dead connection takes this long to be noticed: waiting on top would only lengthen the gap. */
const LASTED_MS = 2_500

/** Failures in a row, of which the back-off is made. An answer that only asks for a new listing is none. */
export function failuresAfter(failures: number, lastedMs: number, kind: EtcdErrorKind | null): number {
  return lastedMs > LASTED_MS || kind === 'compacted' || kind === 'future-revision' ? 0 : failures + 1
}
