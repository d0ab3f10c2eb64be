import { describe, expect, it } from 'vitest'
import { CLUSTER, later } from './detail-fixtures.ts'
import { frozenOf, provenNow } from './detail-frozen.ts'

describe('frozenOf', () => {
  it('is nothing while all is live', () => {
    expect(frozenOf(CLUSTER, { state: 'live' })).toBeNull()
    expect(provenNow(null, later(9))).toBe(later(9))
  })

  it('takes the newest heartbeat when etcd is silent, with its reason', () => {
    const stale = {
      ...CLUSTER,
      freshness: 'stale' as const,
      reason: 'no quorum, data as of 19:33:02 UTC: 4 DEADLINE_EXCEEDED',
    }
    const frozen = frozenOf(stale, { state: 'live' })
    expect(frozen).toEqual({ at: later(60), why: 'no quorum' })
    expect(provenNow(frozen, later(90))).toBe(later(60))
  })

  it('takes the last frame when this tab hears nothing', () => {
    const connection = { state: 'reconnecting' as const, since: later(20), reason: 'no word for 4 s' }
    expect(frozenOf(CLUSTER, connection)).toEqual({ at: later(20), why: 'no word for 4 s' })
  })
})
