/** The JavaScript heap of a page or a worker after a forced collection: what is held, not what lies about. */
import type { Send } from '../live/devtools.ts'

export interface Heap {
  name: string
  usedBytes(): Promise<number>
}

export async function heapOf(name: string, send: Send): Promise<Heap> {
  await send('HeapProfiler.enable')
  return {
    name,
    usedBytes: async () => {
      // The first collection runs finalizers, what they let go of goes with the second.
      await send('HeapProfiler.collectGarbage')
      await send('HeapProfiler.collectGarbage')
      return (await send<{ usedSize: number }>('Runtime.getHeapUsage')).usedSize
    },
  }
}
