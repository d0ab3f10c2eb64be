import { describe, expect, it } from 'vitest'
import { frozenAt, seenFreshness } from './as-seen.ts'
import { at, CLUSTER } from './fixture.ts'

describe('a cluster as this tab can vouch for it', () => {
  const lost = { state: 'reconnecting', since: at(50), reason: 'test' } as const

  it('is live only while the stream is', () => {
    expect(seenFreshness(CLUSTER, { state: 'live' })).toBe('live')
    expect(seenFreshness(CLUSTER, lost)).toBe('stale')
    expect(seenFreshness({ ...CLUSTER, freshness: 'unreachable' }, lost)).toBe('unreachable')
  })

  it('is frozen at the earlier of what etcd and the stream said last', () => {
    expect(frozenAt(CLUSTER, { state: 'live' })).toBeNull()
    expect(frozenAt(CLUSTER, lost)).toBe(at(50))
    expect(frozenAt({ ...CLUSTER, freshness: 'stale', asOf: at(40) }, lost)).toBe(at(40))
  })
})
