import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LeaseId } from '../../lib/election/types.ts'
import { instant } from '../../lib/shared/clock.ts'
import { remainingOf } from './remaining.ts'

const lease = 'a1' as LeaseId
const ttl = { grantedMs: 10_000, remainingMs: 8_000, asOf: instant(100_000) }

describe('remainingOf', () => {
  it('counts down from the look-up', () => {
    expect(remainingOf({ lease, ttl }, instant(101_500))).toMatchObject({ text: '6.5 s', of: 'of 10 s', leftMs: 6_500 })
  })

  it('never counts above the look-up when the clock runs behind it', () => {
    expect(remainingOf({ lease, ttl }, instant(99_000))).toMatchObject({ leftMs: 8_000 })
  })

  it('stays within 0…granted at any time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: -60_000, max: 120_000 }), (left, passed) => {
        const sample = { grantedMs: 10_000, remainingMs: left, asOf: instant(1_000_000) }
        const found = remainingOf({ lease, ttl: sample }, instant(1_000_000 + passed))
        if (found.kind !== 'left') return
        expect(found.leftMs).toBeGreaterThanOrEqual(0)
        expect(found.leftMs).toBeLessThanOrEqual(10_000)
        expect(found.lateMs).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('says so when there is no lease, no permission or no look-up', () => {
    expect(remainingOf({ lease: null, ttl: null }, null).text).toBe('no lease – never expires')
    expect(remainingOf({ lease, ttl: null, ttlDenied: true }, null).text).toBe('TTL unavailable')
    expect(remainingOf({ lease, ttl: null }, null).text).toBe('not looked up yet')
  })

  it('does not stand at zero for ever when look-ups stop', () => {
    expect(remainingOf({ lease, ttl }, instant(110_000))).toMatchObject({ leftMs: 0 })
    expect(remainingOf({ lease, ttl }, instant(112_000)).kind).toBe('unmeasured')
  })

  it('counts a refill by etcd as time left, but not as a renewal', () => {
    const asOf = instant(100_000)
    const refilled = { grantedMs: 9_000, remainingMs: 8_000, asOf, renewedAt: instant(90_000), refilledAt: asOf }
    expect(remainingOf({ lease, ttl: refilled }, instant(101_000))).toMatchObject({
      leftMs: 7_000,
      silentMs: 11_000,
      lateMs: 6_000,
      atRisk: true,
      refilled: true,
    })
  })

  it('tells how late the renewal is at least', () => {
    const late = { grantedMs: 9_000, remainingMs: 1_000, asOf: instant(0) }
    expect(remainingOf({ lease, ttl: late }, instant(0))).toMatchObject({ lateMs: 4_000, atRisk: true })
  })
})
