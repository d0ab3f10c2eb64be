/** A raw etcd3 watch in a process of its own, beside the dashboard. */
import { join } from 'node:path'
import { makeTempFolder } from '../../../e2e/harness/temp-folder.ts'
import { startChild } from './child.ts'
import { readTimes } from './open-viewers.ts'

export interface RawWatch {
  /** Milliseconds from its first call to the last mark. */
  lastSeenMs(): Promise<number>
  /** After `lastSeenMs`: when it saw each mark. */
  times(): Promise<ArrayLike<number>>
  kill(): Promise<void>
}

export interface RawWatchPlan {
  endpoint: string
  prefix: string
  /** The first one; `0` for from now on. */
  revision: string
  marks: number
}

export async function rawWatch({ endpoint, prefix, revision, marks }: RawWatchPlan): Promise<RawWatch> {
  const folder = makeTempFolder('raw-watch')
  const file = join(folder.path, 'times')
  const child = startChild('raw-watch.ts', [endpoint, prefix, revision, marks, file])
  const kill = async () => {
    await child.kill()
    folder.remove()
  }
  try {
    await child.next('watch')
  } catch (error) {
    await kill()
    throw error
  }
  return {
    kill,
    lastSeenMs: async () => (await child.next<{ tookMs: number }>('last change')).tookMs,
    times: async () => {
      child.tell('stop')
      await child.next('stopped')
      return readTimes(file, marks)[0] ?? []
    },
  }
}
