import { describe, expect, test } from 'vitest'
import { ALERT_RULES } from '../../../lib/election/alerts.ts'
import {
  at,
  CLUSTER,
  election,
  having,
  heard,
  key,
  leaseOf,
  rev,
  shown,
} from '../../../lib/election/claims-for-test.ts'
import { leaderOf } from '../../../lib/election/queue.ts'
import type { StandingSwitch } from '../../../lib/election/scopes.ts'
import type { Cluster, ElectionState, EndedBy, LeaseSample } from '../../../lib/election/types.ts'
import { type Instant, instant, msOf } from '../../../lib/shared/clock.ts'
import { SHIPPED } from '../thresholds.ts'
import type { ClusterSeen, ElectionSeen } from './finding.ts'
import { historyUnwritten } from './history-unwritten.ts'
import { clusterFindings, electionFindings } from './index.ts'

const S = 1_000
const DAY = 24 * 3_600 * S

function ofElection(state: ElectionState, now: Instant, over: Partial<ElectionSeen> = {}): string[] {
  const seen: ElectionSeen = {
    state,
    cluster: CLUSTER,
    name: 'job',
    now,
    thresholds: SHIPPED,
    leader: leaderOf(state.candidates),
    stopped: null,
    ttlMs: 10_000,
    renewals: () => null,
    ...over,
  }
  return electionFindings(seen).map(({ rule, forMs, severity }) => `${rule} ${severity} for ${forMs}`)
}

function ofCluster(over: Partial<Cluster>, more: Partial<ClusterSeen> = {}): string[] {
  const seen: ClusterSeen = {
    cluster: { ...CLUSTER, ...over },
    now: at(0),
    thresholds: SHIPPED,
    alarms: [],
    certificates: [],
    ...more,
  }
  return clusterFindings(seen).map(({ rule, forMs, severity }) => `${rule} ${severity} for ${forMs}`)
}

const sampled = (sample: Partial<LeaseSample>): ElectionState => {
  const whole = { grantedMs: 10_000, remainingMs: 9_000, asOf: at(0), ...sample }
  return having(election(1, 2), { type: 'lease', lease: leaseOf(1), sample: whole })
}
const because = (endedBy: EndedBy) => ({ type: 'cause', token: rev(1), endedBy }) as const
const lost: EndedBy = { cause: 'lease lost', evidence: 'test' }
const stop: StandingSwitch = {
  scope: '/e/',
  scopeBase64: btoa('/e/'),
  state: 'engaged',
  match: 'prefix',
  record: { reason: 'upgrade', by: 'u1', at: at(0), nonce: 'n', log: [] },
}
const stopped = { stopped: stop }
const NO_LEADER = 'leaderless critical for 20000'
const emptied = having(election(1), shown(S, [1]), because(lost))

describe('leaderless', () => {
  test.each<[string, ElectionState, number, Partial<ElectionSeen>, string[]]>([
    ['somebody leads', election(1, 2), 60 * S, {}, []],
    ['nobody leads, within the first two seconds', emptied, 2.9 * S, {}, []],
    ['nobody leads', emptied, 4 * S, {}, [NO_LEADER]],
    ['nobody leads, another TTL', emptied, 4 * S, { ttlMs: 30_000 }, ['leaderless critical for 60000']],
    ['nobody leads, no TTL is known', emptied, 4 * S, { ttlMs: null }, ['leaderless critical for 30000']],
    ['the next leads at once', having(election(1, 2, 3), shown(S, [1])), 60 * S, {}, []],
    [
      'stopped, and it died by itself',
      having(election(1), shown(S, [1]), because({ ...lost, duringStop: true })),
      9 * S,
      stopped,
      [NO_LEADER],
    ],
    [
      'stopped by the switch',
      having(election(1), shown(S, [1]), because({ cause: 'kill switch', evidence: '' })),
      9 * S,
      stopped,
      [],
    ],
    ['never led', election(), 60 * S, {}, [NO_LEADER]],
    ['a mutex that nobody holds', { ...emptied, valuesEmpty: true }, 60 * S, {}, []],
    ['a look-alike', { ...emptied, confirmed: false }, 60 * S, {}, []],
  ])('%s', (_, state, ms, over, expected) => expect(ofElection(state, at(ms), over)).toEqual(expected))

  test('with forMs set is found at once and does not wait for TTLs', () => {
    const thresholds = { ...SHIPPED, leaderless: { ...SHIPPED.leaderless, forMs: 0, isForSet: true } }
    expect(ofElection(emptied, at(1_010), { thresholds })).toEqual(['leaderless critical for 0'])
  })

  test('that is off is not found', () => {
    const thresholds = { ...SHIPPED, leaderless: { ...SHIPPED.leaderless, off: true } }
    expect(ofElection(emptied, at(60 * S), { thresholds })).toEqual([])
  })
})

describe('no standby', () => {
  const ALONE = 'no-standby warning for 60000'
  test.each<[string, ElectionState, Partial<ElectionSeen>, string[]]>([
    ['two in the queue', election(1, 2), {}, []],
    ['the leader alone', election(1), {}, [ALONE]],
    [
      'next is a key of a nested election',
      having(election(1), {
        type: 'revision',
        at: at(1),
        revision: rev(101),
        puts: [key(2, { nested: true })],
        deletes: [],
      }),
      {},
      [ALONE],
    ],
    ['alone, stopped', election(1), stopped, []],
    ['a single key, whose waiters nobody sees', { ...election(1), layout: 'single-key' }, {}, []],
  ])('%s', (_, state, over, expected) => expect(ofElection(state, at(S), over)).toEqual(expected))
})

describe('lease margin', () => {
  const LATE = 'lease-margin warning for 0'
  test.each<[string, Partial<LeaseSample>, string[]]>([
    ['just renewed', {}, []],
    ['exactly a third is left, to the second', { remainingMs: 2_400 }, []],
    ['less than a third is left, whatever the rounding', { remainingMs: 2_000 }, [LATE]],
    ['a TTL under 5 s is too short to judge', { grantedMs: 4_000, remainingMs: 0 }, []],
    [
      'full again by a refill, and not renewed (RC-11)',
      { remainingMs: 9_000, renewedAt: at(-9 * S), refilledAt: at(-S) },
      [LATE],
    ],
    ['full again by a renewal', { remainingMs: 9_000, renewedAt: at(-S) }, []],
  ])('%s', (_, sample, expected) => expect(ofElection(sampled(sample), at(0))).toEqual(expected))

  test('is not told before the holder could renew again after an outage', () => {
    const late = sampled({ remainingMs: 1_000 })
    const outage = (ms: number) => ({
      cluster: { ...CLUSTER, gaps: [{ from: at(-60 * S), to: at(-ms), reason: 'no quorum' }] },
    })
    expect(ofElection(late, at(0), outage(9 * S))).toEqual([])
    expect(ofElection(late, at(0), outage(11 * S))).toEqual([LATE])
  })

  test('is not told while it is stopped', () => {
    expect(ofElection(sampled({ remainingMs: 0 }), at(0), stopped)).toEqual([])
  })
})

describe('slow renewals', () => {
  const SLOW = 'renewal-slow warning for 0'
  test.each<[string, ReturnType<ElectionSeen['renewals']>, number | null, string[]]>([
    ['none reported', null, 10_000, []],
    ['too few to say', { count: 19, p99Ms: 9_000 }, 10_000, []],
    ['a third of the TTL', { count: 20, p99Ms: 3_333 }, 10_000, []],
    ['more than a third of the TTL', { count: 20, p99Ms: 3_400 }, 10_000, [SLOW]],
    ['the TTL is not known', { count: 20, p99Ms: 9_000 }, null, []],
  ])('%s', (_, renewals, ttlMs, expected) => {
    expect(ofElection(election(1, 2), at(0), { renewals: () => renewals, ttlMs })).toEqual(expected)
  })
})

test('a leader key without a lease (RC-04), unless a stop put it there', () => {
  const bare = having(election(), {
    type: 'revision',
    at: at(0),
    revision: rev(101),
    puts: [key(1, { lease: null }), key(2)],
    deletes: [],
  })
  expect(ofElection(bare, at(0))).toEqual(['leader-without-lease warning for 10000'])
  expect(ofElection(bare, at(0), stopped)).toEqual([])
})

describe('a dual claim', () => {
  test('is critical at once, also while a switch holds the election', () => {
    const twins = having(
      election(1, 2),
      heard(0, { instance: 'one', token: 1 }),
      heard(0, { instance: 'two', token: 1 }),
    )
    expect(ofElection(twins, at(S))).toEqual(['dual-claim critical for 0'])
    expect(ofElection(twins, at(S), stopped)).toEqual(['dual-claim critical for 0'])
  })

  test('is none while one instance says what etcd says', () => {
    expect(ofElection(having(election(1, 2), heard(0, { token: 1 })), at(S))).toEqual([])
  })
})

describe('etcd', () => {
  const back = { from: rev(9), to: rev(5), at: at(0) }
  test.each<[string, Partial<Cluster>, Partial<ClusterSeen>, string[]]>([
    ['all is well', {}, {}, []],
    [
      'no quorum (RC-07)',
      { quorum: false, freshness: 'stale' },
      {},
      ['quorum-lost critical for 5000', 'view-stale warning for 10000'],
    ],
    ['not seen yet', { quorum: false, freshness: 'unreachable', asOf: null }, {}, ['view-stale warning for 10000']],
    [
      'not seen yet, and a member knows no etcd raft leader',
      {
        quorum: false,
        freshness: 'unreachable',
        asOf: null,
        members: [{ id: '1', name: 'm1', isRaftLeader: false, reachable: true, probeRttMs: null, noRaftLeader: true }],
      },
      {},
      ['quorum-lost critical for 5000', 'view-stale warning for 10000'],
    ],
    ['stale', { freshness: 'stale' }, {}, ['view-stale warning for 10000']],
    ['rolled back', { rolledBack: back }, {}, ['store-rolled-back critical for 0']],
    ['out of space', {}, { alarms: [{ type: 'NOSPACE', member: 'm1' }] }, ['etcd-alarm critical for 0']],
    [
      'corrupt, on two members',
      {},
      {
        alarms: [
          { type: 'CORRUPT', member: 'm1' },
          { type: 'CORRUPT', member: 'm2' },
        ],
      },
      ['etcd-alarm critical for 0', 'etcd-alarm critical for 0'],
    ],
    ['alarms are not told', {}, { alarms: null }, []],
    [
      'a certificate that ends in 15 days',
      {},
      { certificates: [{ what: 'client certificate', expiresAt: at(15 * DAY) }] },
      [],
    ],
    [
      'a certificate that ends in 13 days',
      {},
      { certificates: [{ what: 'client certificate', expiresAt: at(13 * DAY) }] },
      ['certificate-expiring warning for 0'],
    ],
    [
      'a certificate that has ended',
      {},
      { certificates: [{ what: 'client certificate', expiresAt: at(-DAY) }] },
      ['certificate-expiring warning for 0'],
    ],
  ])('%s', (_, over, more, expected) => expect(ofCluster(over, more)).toEqual(expected))
})

describe('kill switches', () => {
  const trouble = (type: 'vanished' | 'unreadable' | 'rolled-back' | 'overdue' | 'too-many') => ({
    switchTroubles: [{ type, scope: '/e/', scopeBase64: btoa('/e/'), at: at(0), words: 'It is so.' }],
  })
  test.each<[string, Partial<Cluster>, string[]]>([
    ['engaged', { switches: [stop] }, []],
    ['vanished', trouble('vanished'), ['switch-vanished critical for 0']],
    ['went back to an older record', trouble('rolled-back'), ['switch-vanished critical for 0']],
    ['unreadable', trouble('unreadable'), ['switch-unreadable critical for 0']],
    ['too many to be read', trouble('too-many'), ['switch-unreadable critical for 0']],
    ['engaged over its until', trouble('overdue'), ['switch-overdue warning for 0']],
    ['cannot be read at all', { switchesError: 'permission denied' }, ['switch-unreadable critical for 0']],
  ])('%s', (_, over, expected) => expect(ofCluster(over)).toEqual(expected))

  test.each([
    [23 * 3_600 * S, []],
    [24 * 3_600 * S, [1]],
    [49 * 3_600 * S, [2]],
    [24 * 7 * 3_600 * S, [7]],
  ])('engaged for %i ms: said so many times (RC-19)', (ms, expected) => {
    const seen = {
      cluster: { ...CLUSTER, switches: [stop] },
      now: at(ms),
      thresholds: SHIPPED,
      alarms: [],
      certificates: [],
    }
    expect(clusterFindings(seen).map(({ reminder }) => reminder)).toEqual(expected)
  })

  test('a released one is never forgotten', () => {
    const seen = {
      cluster: { ...CLUSTER, switches: [{ ...stop, state: 'released' as const }] },
      now: at(9 * DAY),
      thresholds: SHIPPED,
      alarms: [],
      certificates: [],
    }
    expect(clusterFindings(seen)).toEqual([])
  })
})

test('history that is not written concerns Tenure as a whole', () => {
  expect(historyUnwritten(undefined, SHIPPED)).toEqual([])
  expect(historyUnwritten('disk full', SHIPPED)).toMatchObject([{ rule: 'history-unwritten', forMs: 10_000 }])
})

test('every rule has values that it is shipped with, and no text of a finding has a hole in it', () => {
  expect(Object.keys(SHIPPED).sort()).toEqual([...ALERT_RULES].sort())
  const found = electionFindings({
    state: emptied,
    cluster: CLUSTER,
    name: 'job',
    now: instant(msOf(at(0)) + 60_000),
    thresholds: SHIPPED,
    leader: null,
    stopped: null,
    ttlMs: null,
    renewals: () => null,
  })
  expect(JSON.stringify(found)).not.toMatch(/undefined|NaN|null,"detail/)
})
