import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FakeMetrics } from './fake-metrics.ts'
import { LeaseMetrics } from './lease-metrics.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] }))
afterEach(() => void vi.useRealTimers())

function reader() {
  const port = new FakeMetrics()
  const troubles: string[] = []
  const clock = { nowMs: () => Date.now(), monoMs: () => performance.now() }
  const onTrouble = (words: string) => troubles.push(words)
  const metrics = new LeaseMetrics({ urls: ['http://a/metrics'], port, clock, onTrouble })
  const stopping = new AbortController()
  const done = metrics.run(stopping.signal)
  return {
    port,
    troubles,
    /** Of a lease that is seen to be lost now. */
    proof: async (unseenMs = 0) => {
      const found = metrics.proofOf({ monoMs: performance.now(), unseenMs }, stopping.signal)
      await vi.advanceTimersByTimeAsync(2_000)
      return found
    },
    wait: (ms: number) => vi.advanceTimersByTimeAsync(ms),
    stop: async () => {
      stopping.abort()
      await done
    },
  }
}

test('an expiry is proven by the readings before and after it', async () => {
  const { port, proof, wait, stop } = reader()
  await wait(2_000)
  port.ended += 1
  port.expired += 1
  expect(await proof()).toMatchObject({ cause: 'expired' })
  await stop()
})

test('a reading that the end may have slipped into is not the one before', async () => {
  const { port, proof, wait, stop } = reader()
  await wait(600)
  port.ended += 1
  expect(await proof()).toBeNull()
  await wait(5_000)
  port.ended += 1
  expect(await proof(20_000)).toBeNull()
  await stop()
})

test('an expiry that is counted a moment after its lease ended is not taken for a revoke', async () => {
  const { port, proof, wait, stop } = reader()
  await wait(2_000)
  port.ended += 1
  setTimeout(() => {
    port.expired += 1
  }, 100)
  expect(await proof()).toMatchObject({ cause: 'expired' })
  await stop()
})

test('a reading between the end of another lease and its being counted as expired is not taken', async () => {
  const { port, proof, wait, stop } = reader()
  await wait(200)
  port.ended += 1
  await wait(100)
  port.expired += 1
  await wait(1_700)
  port.ended += 1
  expect(await proof()).toBeNull()
  await stop()
})

test('leases that are lost together share one reading', async () => {
  const { port, proof, wait, stop } = reader()
  await wait(2_000)
  port.ended += 3
  const reads = port.reads.length
  const proofs = await Promise.all([proof(), proof(), proof()])
  expect(proofs.map((each) => each?.cause)).toEqual(['lease lost', 'lease lost', 'lease lost'])
  expect(port.reads.length - reads).toBeLessThanOrEqual(4)
  await stop()
})

test('a page that cannot be read proves nothing, and says so', async () => {
  const { port, proof, wait, troubles, stop } = reader()
  await wait(2_000)
  port.failing = true
  port.ended += 1
  expect(await proof()).toBeNull()
  expect(troubles[0]).toBe('http://a/metrics: connection refused')
  await stop()
})
