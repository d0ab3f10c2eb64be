import { setTimeout as pause } from 'node:timers/promises'
import { closeStream, type Etcd3 } from './etcd-client.ts'

type KeepAliveStream = Awaited<ReturnType<Etcd3['leaseClient']['leaseKeepAlive']>>

export interface Renewal {
  readonly lease: string
  readonly ttlMs: number
  /** Aborted when the lease is gone, or could not be proven alive for a whole TTL. */
  readonly lost: AbortSignal
  /** Stops renewing; the lease itself stays until it expires or is revoked. */
  stop(): void
  revoke(): Promise<void>
}

/**
 * Renews a lease every third of its TTL, as Go does. The lease counts as alive for one TTL from the
 * moment the last answered keep-alive was *sent*, by a clock that never jumps.
 */
function keepRenewed(client: Etcd3, lease: string, ttlMs: number): { lost: AbortController; stop: () => void } {
  const lost = new AbortController()
  const stopped = new AbortController()
  const over = AbortSignal.any([lost.signal, stopped.signal])
  let stream: KeepAliveStream | undefined
  let sentAtMs = performance.now()
  let provenAtMs = sentAtMs

  const dropStream = () => {
    closeStream(stream)
    stream = undefined
  }
  const open = async () => {
    const opened = await client.leaseClient.leaseKeepAlive()
    opened.on('data', ({ TTL }) => {
      if (stream !== opened) return
      if (TTL === '0') lost.abort(new Error('lease is gone'))
      else provenAtMs = sentAtMs
    })
    opened.on('error', () => {
      if (stream === opened) stream = undefined
    })
    return opened
  }
  const renew = async () => {
    while (!over.aborted) {
      if (performance.now() - provenAtMs > ttlMs) lost.abort(new Error('lease was not renewed in time'))
      try {
        // An unanswered keep-alive may be stuck in a dead connection: the next one takes another.
        if (provenAtMs < sentAtMs) dropStream()
        stream ??= await open()
        sentAtMs = performance.now()
        stream.write({ ID: lease })
      } catch {
        stream = undefined
      }
      await pause(ttlMs / 3, undefined, { signal: over }).catch(() => {})
    }
    dropStream()
  }
  void renew()
  return { lost, stop: () => stopped.abort() }
}

/** Grants a lease and keeps it renewed. The server may grant more than was asked: that is what counts. */
export async function grantRenewedLease(client: Etcd3, ttlSeconds: number): Promise<Renewal> {
  const { ID: lease, TTL } = await client.leaseClient.leaseGrant({ TTL: ttlSeconds })
  const ttlMs = Number(TTL) * 1_000
  const { lost, stop } = keepRenewed(client, lease, ttlMs)
  return {
    lease,
    ttlMs,
    lost: lost.signal,
    stop,
    revoke: async () => {
      stop()
      await client.leaseClient.leaseRevoke({ ID: lease })
    },
  }
}
