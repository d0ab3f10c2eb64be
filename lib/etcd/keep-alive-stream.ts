import type { Etcd3, ILeaseKeepAliveResponse } from 'etcd3'
import { leaseFromDecimal, leaseToDecimal } from '../election/ids.ts'
import { EtcdError, type KeepAliveStream } from '../election/ports.ts'
import type { LeaseId } from '../election/types.ts'
import { afterArrivals } from './after-arrivals.ts'
import { STREAM_OPTIONS } from './connection.ts'
import { translate } from './errors.ts'

interface Waiter {
  resolve: (ttlMs: number) => void
  reject: (error: EtcdError) => void
}

/** Keep-alives of any leases over one stream of one member, each answer matched to its question. */
export async function openKeepAlive(client: Etcd3, endpoint: string, signal: AbortSignal): Promise<KeepAliveStream> {
  const stream = await client.leaseClient.leaseKeepAlive(STREAM_OPTIONS)
  const waiting = new Map<LeaseId, Waiter[]>()
  let ended: EtcdError | null = null
  let heardMs = performance.now()

  const end = (error: EtcdError) => {
    ended ??= error
    for (const waiter of [...waiting.values()].flat()) waiter.reject(ended)
    waiting.clear()
    client.close()
  }
  const close = () => {
    stream.cancel()
    end(new EtcdError('aborted', 'the keep-alive stream was closed', endpoint))
  }
  stream.on('data', (response: ILeaseKeepAliveResponse) => {
    heardMs = performance.now()
    const lease = leaseFromDecimal(response.ID)
    const queue = lease === null ? undefined : waiting.get(lease)
    if (lease === null || queue === undefined) return
    queue.shift()?.resolve(Number(response.TTL) * 1000)
    if (queue.length === 0) waiting.delete(lease)
  })
  stream.on('error', (error: Error) => end(translate(error, endpoint)))
  stream.on('end', () => end(new EtcdError('unavailable', 'etcd ended the keep-alive stream', endpoint)))
  signal.addEventListener('abort', close, { once: true })
  // Opening may wait for a login, and an abort meanwhile is not told again.
  if (signal.aborted) close()

  return {
    close,
    renew: (lease, deadlineMs) =>
      new Promise((resolve, reject) => {
        if (ended !== null) return reject(ended)
        const sentMs = performance.now()
        let isSettled = false
        const settle =
          <T>(then: (value: T) => void) =>
          (value: T) => {
            isSettled = true
            clearTimeout(timer)
            then(value)
          }
        // Slow is not dead: while others are answered, only this one is late. Its answer keeps its turn.
        const late = () => {
          if (isSettled) return
          const error = new EtcdError('deadline', `no renewal within ${deadlineMs} ms`, endpoint)
          if (heardMs >= sentMs) settle(reject)(error)
          else end(error)
        }
        const timer = setTimeout(() => afterArrivals(late), deadlineMs)
        const queue = waiting.get(lease) ?? []
        queue.push({ resolve: settle(resolve), reject: settle(reject) })
        waiting.set(lease, queue)
        stream.write({ ID: leaseToDecimal(lease) })
      }),
  }
}
