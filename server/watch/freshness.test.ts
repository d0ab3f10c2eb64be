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
  meter.notWatching('reset')
  pass(3_001)
  beat()
  expect(meter.read()).toMatchObject({ freshness: 'stale', quorum: true })
  expect(meter.read().reason).toMatch(/the watch is interrupted.*reset/)
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

test('a watch that went silent counts from its last sign of life, not from when that was noticed', () => {
  const { meter, beat, pass } = meterAt()
  meter.watching()
  pass(2_900)
  beat()
  expect(meter.read().freshness).toBe('live')
  pass(101)
  expect(meter.read()).toMatchObject({ freshness: 'stale', asOf: instant(1_000_000) })
  meter.notWatching('no answer to a ping')
  expect(meter.read()).toMatchObject({ freshness: 'stale', asOf: instant(1_000_000) })
  expect(meter.blindSince()).toBe(instant(1_000_000))
})

test('trouble after trouble does not make the view live again in between', () => {
  const { meter, beat, pass } = meterAt()
  meter.watching()
  pass(4_000)
  beat()
  meter.notWatching('reset')
  expect(meter.read().freshness).toBe('stale')
  meter.notWatching('compacted')
  expect(meter.read().freshness).toBe('stale')
})

test('a listing proves what was there when it began, so that a long one is old when it ends', () => {
  const { meter, beat, pass } = meterAt()
  pass(4_000)
  beat()
  meter.listed({ monoMs: 1_500, at: instant(1_001_500) })
  expect(meter.read()).toMatchObject({ freshness: 'live', asOf: instant(1_001_500) })
  expect(meter.provenAt()).toBe(instant(1_001_500))
  pass(501)
  beat()
  expect(meter.read()).toMatchObject({ freshness: 'stale', asOf: instant(1_001_500) })
})
