import { setTimeout as pause } from 'node:timers/promises'
import type { Etcd3 } from './etcd-client.ts'
import { grantRenewedLease } from './renewal.ts'
import { type Report, type Seat, type SeatControl, valueBytes } from './seat.ts'

/**
 * Not an election: a service registry as go-zero keeps it (`<service>/<decimal lease id>`, an address
 * as value). It looks like one, which is why it is here.
 */
export function startRegistryEntry(client: Etcd3, seat: Seat, report: Report): SeatControl {
  const leaving = new AbortController()

  async function session(): Promise<void> {
    const renewal = await grantRenewedLease(client, seat.ttlSeconds)
    const key = Buffer.from(`${seat.prefix}/${renewal.lease}`)
    await client.kv.put({ key, value: valueBytes(seat), lease: renewal.lease })
    report({ type: 'queued', lease: renewal.lease, keyBase64: key.toString('base64') })
    const over = AbortSignal.any([leaving.signal, renewal.lost])
    await new Promise<void>((resolve) => {
      if (over.aborted) resolve()
      over.addEventListener('abort', () => resolve(), { once: true })
    })
    await renewal.revoke().catch(() => {})
  }

  async function run(): Promise<void> {
    while (!leaving.signal.aborted) {
      await session().catch((error: Error) => report({ type: 'retry', reason: error.message }))
      await pause(1_000, undefined, { signal: leaving.signal }).catch(() => {})
    }
    report({ type: 'left' })
  }

  const done = run()
  return {
    resign: () => {},
    leave: () => {
      leaving.abort()
      return done
    },
  }
}
