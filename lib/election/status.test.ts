import { describe, expect, test } from 'vitest'
import { instant } from '../shared/clock.ts'
import { openElection } from './reducer.ts'
import { isAtRisk, kindOf, needsAttention, rankOf, recentFailovers, STATUSES, statusOf, WORST_FIRST } from './status.ts'
import type { Cluster, ElectionState, LeaseId, LeaseSample, Revision } from './types.ts'

const T0 = Date.parse('2026-03-12T03:00:00Z')
const at = (s: number) => instant(T0 + s * 1000)

const cluster = { freshness: 'live' } as Cluster
const ttl = (remainingMs: number, grantedMs = 10_000): LeaseSample => ({ grantedMs, remainingMs, asOf: at(0) })

function election(candidates: number, over: Partial<ElectionState> = {}, value = 'w'): ElectionState {
  const { state } = openElection({
    type: 'opened',
    at: at(0),
    revision: '9' as Revision,
    live: false,
    layout: 'queue',
    prefix: '/e/',
    prefixBase64: btoa('/e/'),
    confirmed: true,
    foundBy: 'test',
    epoch: 0,
    keys: Array.from({ length: candidates }, (_, n) => ({
      key: `/e/${n}`,
      keyBase64: btoa(`/e/${n}`),
      identity: value,
      valueBytes: value.length,
      lease: String(n + 1) as LeaseId,
      createRevision: String(n + 1) as Revision,
      modRevision: String(n + 1) as Revision,
      nested: false,
    })),
  })
  return { ...state, ...over }
}

const withTtl = (state: ElectionState, sample: LeaseSample): ElectionState => ({
  ...state,
  candidates: state.candidates.map((candidate, n) => (n === 0 ? { ...candidate, ttl: sample } : candidate)),
})

describe('status: the first that applies', () => {
  const failovers = Array.from({ length: 5 }, (_, n) => at(-n * 60))
  test.each([
    ['unconfirmed', election(0, { confirmed: false }), cluster],
    ['unknown', election(2), { ...cluster, freshness: 'stale' } as Cluster],
    ['leaderless', election(0, { failovers, lastOrdinal: 1, valuesEmpty: false }), cluster],
    ['flapping', withTtl(election(1, { failovers }), ttl(1_000)), cluster],
    ['at-risk', withTtl(election(1), ttl(1_000)), cluster],
    ['no-standby', election(1), cluster],
    ['handing-off', election(2), { ...cluster, handingOff: [election(2).ref] } as Cluster],
    ['healthy', election(2), cluster],
  ] as const)('%s', (expected, state, info) => {
    expect(statusOf(state, info, at(60))).toBe(expected)
  })

  test('leaderless only after two seconds', () => {
    const state = election(0, { valuesEmpty: false, leaderlessSince: at(0) })
    expect(statusOf(state, cluster, at(2))).toBe('healthy')
    expect(statusOf(state, cluster, instant(T0 + 2_001))).toBe('leaderless')
  })

  test('one key alone is all there can be in the single-key layout', () => {
    expect(statusOf(election(1, { layout: 'single-key' }), cluster, at(1))).toBe('healthy')
  })
})

describe('at risk', () => {
  test.each([
    [ttl(2_000), true],
    // The second that etcd rounds away counts for the holder.
    [ttl(3_000), false],
    [ttl(0), true],
    // Too short to judge from whole seconds.
    [ttl(0, 4_000), false],
    [null, false],
  ])('%j → %s', (sample, expected) => {
    expect(isAtRisk(sample)).toBe(expected)
  })
})

test('a queue whose every value is empty is a mutex', () => {
  expect(kindOf(election(2, {}, ''))).toBe('mutex')
  expect(kindOf(election(2))).toBe('election')
  expect(kindOf(election(2, { confirmed: false }, ''))).toBe('unconfirmed')
})

test('failovers older than the window do not count', () => {
  const state = election(2, { failovers: [at(-3_601), at(-10)] })
  expect(recentFailovers(state, at(0))).toBe(1)
})

test('every status has a place in the order, and exactly the bad ones need attention', () => {
  expect([...WORST_FIRST].sort()).toEqual([...STATUSES].sort())
  expect(WORST_FIRST.filter(needsAttention)).toEqual(WORST_FIRST.slice(0, 6))
  expect(rankOf('dual-claim')).toBeLessThan(rankOf('healthy'))
})
