import { expect, test } from 'vitest'
import { instant } from '../../lib/shared/clock.ts'
import { FreshnessMeter } from './freshness.ts'

function meterAt() {
  let mono = 0
  const clock = { nowMs: () => 1_000_000 + mono, monoMs: () => mono }
  const meter = new FreshnessMeter(clock)
  const beat = () => meter.answered(mono, instant(clock.nowMs()))
  return { meter, beat, pass: (ms: number) => (mono += ms) }
}

test('is unreachable until the first answer', () => {
  const { meter } = meterAt()
  expect(meter.read()).toMatchObject({ freshness: 'unreachable', asOf: null, quorum: false })
})

test('counts from when the answered heartbeat was sent, and is stale after three seconds', () => {
  const { meter, beat, pass } = meterAt()
  meter.watching()
  beat()
  pass(3_000)
  expect(meter.read().freshness).toBe('live')
  pass(1)
  meter.failed({ kind: 'no-quorum', message: 'etcdserver: no leader' })
  expect(meter.read()).toMatchObject({
    freshness: 'stale',
    quorum: false,
    reason: 'etcd has no quorum, data as of 00:16:40 UTC',
  })
})

test('a late answer to an old heartbeat never makes it younger', () => {
  const { meter, pass } = meterAt()
  meter.watching()
  pass(5_000)
  meter.answered(4_900, instant(4_900))
  meter.answered(1_000, instant(1_000))
  expect(meter.ageMs()).toBe(100)
})

test('a heartbeat alone is not enough: a broken watch makes the view stale too', () => {
  const { meter, beat, pass } = meterAt()
  meter.watching()
  beat()
  meter.notWatching('silent')
  pass(3_001)
  beat()
  expect(meter.read()).toMatchObject({ freshness: 'stale', quorum: true })
  expect(meter.read().reason).toMatch(/the watch is interrupted.*silent/)
  meter.watching()
  expect(meter.read().freshness).toBe('live')
})

test('nobody to be reached at all is unreachable, not merely stale', () => {
  const { meter, beat, pass } = meterAt()
  meter.watching()
  beat()
  pass(4_000)
  meter.failed({ kind: 'unavailable', message: 'connect ECONNREFUSED' })
  expect(meter.read().freshness).toBe('unreachable')
})
