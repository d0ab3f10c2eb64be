/** Tenure's own lease on each member, renewed once a second: how long etcd takes, apart from any holder. */
import type { KeepAliveStream, LeasePort } from '../../lib/election/ports.ts'
import type { LeaseId } from '../../lib/election/types.ts'
import { backoffMs, sleep } from '../../lib/shared/abort.ts'
import type { Clock } from '../../lib/shared/clock.ts'

const TTL_S = 15
const EVERY_MS = 1_000
const DEADLINE_MS = 5_000

export interface ProbeOptions {
  etcd: LeasePort
  clock: Clock
  endpoint: string
  onRtt: (rttMs: number) => void
  onSilence: (error: unknown) => void
}

/** Runs until `signal` aborts, then gives the lease back. Never rejects. */
export async function runProbe(options: ProbeOptions, signal: AbortSignal): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    let lease: LeaseId | null = null
    try {
      const call = { deadlineMs: DEADLINE_MS, signal, endpoint: options.endpoint }
      lease = (await options.etcd.grant(TTL_S, call)).lease
      const stream = await options.etcd.openKeepAlive(options.endpoint, signal)
      failures = 0
      await renewForever(options, stream, lease, signal)
    } catch (error) {
      if (!signal.aborted) options.onSilence(error)
    }
    if (lease !== null) await giveBack(options, lease)
    if (!signal.aborted) await sleep(backoffMs(failures, 500, 10_000), signal)
    failures += 1
  }
}

async function renewForever(
  { clock, onRtt }: ProbeOptions,
  stream: KeepAliveStream,
  lease: LeaseId,
  signal: AbortSignal,
): Promise<void> {
  try {
    while (!signal.aborted) {
      const startedMs = clock.monoMs()
      const leftMs = await stream.renew(lease, DEADLINE_MS)
      if (leftMs === 0) return
      onRtt(clock.monoMs() - startedMs)
      await sleep(Math.max(0, EVERY_MS - (clock.monoMs() - startedMs)), signal)
    }
  } finally {
    stream.close()
  }
}

/** Best effort: a lease that cannot be given back ends by itself after its TTL. */
async function giveBack({ etcd, endpoint }: ProbeOptions, lease: LeaseId): Promise<void> {
  await etcd.revoke(lease, { deadlineMs: 1_000, endpoint }).catch(() => undefined)
}
