/**
 * Keeps the process near the size of what is alive in it; import it before anything that fills the heap.
 * Ten thousand elections, 45 MB, cost 260 MB by V8's own rules; docs/performance.md has the figures.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// While a first listing survives, the new space would grow to 128 MB and be copied again and again.
setFlagsFromString('--semi-space-growth-factor=1')

// Every gRPC call stays in the old space until it is collected, which V8 would do at three times what is
// alive. Not from the beginning: while the heap fills, collecting early is in vain and slows the listing.
const FULL_AFTER_MS = 10_000
setTimeout(() => {
  setFlagsFromString('--heap-growing-percent=40')
  setFlagsFromString('--expose-gc')
  // The new rule holds from the next collection on.
  runInNewContext('gc')()
}, FULL_AFTER_MS).unref()
