import { setTimeout as pause } from 'node:timers/promises'
import type { Etcd3 } from './etcd-client.ts'
import { countCandidates, giveUpPlace, type Place, proclaim, takePlace, waitForTurn } from './queue.ts'
import { grantRenewedLease, type Renewal } from './renewal.ts'
import { prefixBytes, type Report, type Seat, type SeatControl, valueBytes } from './seat.ts'

const retryMs = 1_000
const nestedCheckMs = 500

/** A pause that an abort ends early, without an exception. */
const rest = (ms: number | undefined, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (ms !== undefined) pause(ms, undefined, { signal }).then(resolve, () => {})
  })

/**
 * A candidate over raw etcd calls in the key layout of Go's `concurrency` package. It behaves as a Go
 * client does, weak spot included: a leader does not watch its own key. Use the library instead.
 */
export function startRawCandidate(client: Etcd3, seat: Seat, report: Report): SeatControl {
  const leaving = new AbortController()
  let term = new AbortController()

  async function lead(place: Place, until: AbortSignal): Promise<void> {
    if (seat.proclaimAfterMs !== undefined) {
      await rest(seat.proclaimAfterMs, until)
      if (!until.aborted) await proclaim(client, place, valueBytes(seat))
    }
    await rest(seat.handOverAfterMs, until)
  }

  async function campaign(renewal: Renewal): Promise<void> {
    const alive = AbortSignal.any([leaving.signal, renewal.lost])
    while (!alive.aborted) {
      term = new AbortController()
      const place = await takePlace(client, prefixBytes(seat), renewal.lease, valueBytes(seat))
      const facts = {
        lease: renewal.lease,
        keyBase64: place.key.toString('base64'),
        createRevision: place.createRevision,
      }
      report({ type: 'queued', ...facts })
      await waitForTurn(client, place, alive)
      if (!alive.aborted) {
        report({ type: 'leading', ...facts })
        await lead(place, AbortSignal.any([alive, term.signal]))
      }
      if (renewal.lost.aborted) throw renewal.lost.reason
      await giveUpPlace(client, place)
      report({ type: 'resigned', ...facts })
    }
  }

  async function session(): Promise<void> {
    while (seat.after && !leaving.signal.aborted) {
      if ((await countCandidates(client, seat.after.prefix)) >= seat.after.candidates) break
      await rest(nestedCheckMs, leaving.signal)
    }
    if (leaving.signal.aborted) return
    const renewal = await grantRenewedLease(client, seat.ttlSeconds)
    try {
      await campaign(renewal)
    } catch (error) {
      const type = renewal.lost.aborted ? 'lost' : 'retry'
      report({ type, lease: renewal.lease, reason: (error as Error).message })
    }
    // A key left behind on a living lease would block everyone behind it.
    await renewal.revoke().catch(() => {})
  }

  async function run(): Promise<void> {
    while (!leaving.signal.aborted) {
      try {
        await session()
      } catch (error) {
        report({ type: 'retry', reason: (error as Error).message })
      }
      await rest(retryMs, leaving.signal)
    }
    report({ type: 'left' })
  }

  const done = run()
  return {
    resign: () => term.abort(),
    leave: () => {
      leaving.abort()
      return done
    },
  }
}
