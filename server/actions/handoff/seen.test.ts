/** What one read of an election shows: who may be made to go and how, who may lead next, and how far a handoff has come. */
import { expect, test } from 'vitest'
import type { Operation } from '../../../lib/election/actions.ts'
import { refOf } from '../../../lib/election/ids.ts'
import type { KeyValue } from '../../../lib/election/ports.ts'
import type { Presence } from '../../../lib/election/presence.ts'
import type { Cluster, LeaseId, Revision } from '../../../lib/election/types.ts'
import { utf8 } from '../../../lib/shared/bytes.ts'
import { instant } from '../../../lib/shared/clock.ts'
import type { ElectionNow } from '../read-election.ts'
import { warningsOf } from './aftermath.ts'
import { checksOf } from './checks.ts'
import { coolDownOf } from './cool-down.ts'
import { defaultOf, methodsOf } from './offers.ts'
import { acknowledgedPhase, expectedPhases, sightOf, successorWords } from './phases.ts'
import type { HandoffPlan } from './plan.ts'
import { seatsOf, seenOf, targetsOf } from './seat.ts'

const REF = refOf('queue', 'el/')
const lease = (n: number) => String(n).padStart(16, '0') as LeaseId
const rev = (n: number) => String(n) as Revision

interface Who {
  name: string
  n: number
  library?: Partial<Presence>
  key?: string
  isLeaseless?: boolean
}

const says = (name: string, more: Partial<Presence>): Presence => ({
  v: 1,
  identity: name,
  state: 'waiting',
  token: null,
  switchNonces: [],
  lastResign: null,
  onMissingSwitch: 'run',
  metaPrefix: '/tenure/',
  client: 'tenure',
  version: '1.0.0',
  ...more,
})

function read(...all: Who[]): ElectionNow {
  const keys = all.map(({ name, n, key = `el/${n}`, isLeaseless }): KeyValue => {
    const on = isLeaseless ? null : lease(n)
    return { key: utf8(key), value: utf8(name), lease: on, createRevision: rev(n), modRevision: rev(n) }
  })
  const present = all.flatMap(({ name, n, library }) =>
    library === undefined ? [] : [{ lease: lease(n), says: says(name, library), modRevision: rev(n) }],
  )
  return {
    header: { clusterId: '1', memberId: '1', revision: rev(100), raftTerm: '1' },
    keys,
    present: new Map(present.map((each) => [each.lease, each])),
    request: null,
  }
}

const seats = (...all: Who[]) => seatsOf(REF, read(...all), '/tenure/')
const offers = (now: ReturnType<typeof seats>, leaseKeys: string[] | null = []) =>
  methodsOf({ seats: now, request: null, leaseKeys })
const offered = (now: ReturnType<typeof seats>, leaseKeys?: string[] | null) =>
  offers(now, leaseKeys).map(({ offered: is }) => is)
const leads = { state: 'leading' as const }

test('asking is offered where presence shows the library, and only then the default', () => {
  const library = seats({ name: 'a', n: 1, library: leads })
  expect(offered(library)).toEqual([true, true, true])
  expect(defaultOf(offers(library))).toBe('ask')
  const foreign = seats({ name: 'a', n: 1 })
  expect(offered(foreign)).toEqual([false, true, true])
  expect(defaultOf(offers(foreign))).toBe('revoke-session')
  expect(offered(seats({ name: 'a', n: 1, library: { state: 'lost' } }))).toEqual([false, true, true])
  expect(offered(seats({ name: 'a', n: 1, library: { ...leads, metaPrefix: '/other/' } }))).toEqual([false, true, true])
  const standing = read({ name: 'a', n: 1 }).keys[0] as KeyValue
  const asked = methodsOf({ seats: library, request: standing, leaseKeys: [] })
  expect(asked[0]).toMatchObject({ offered: false, why: expect.stringContaining('request') })
})

test('a session is not revoked while nobody knows what else would go, and removing the key is never a default', () => {
  const foreign = seats({ name: 'a', n: 1 })
  expect(offered(foreign, null)).toEqual([false, false, true])
  expect(defaultOf(offers(foreign, null))).toBeNull()
  expect(offered(seats({ name: 'a', n: 1, isLeaseless: true }))).toEqual([false, false, true])
})

test('a seat that the kill switch holds is offered in no way', () => {
  const held = seats({ name: '{"tenure":"halt","nonce":"n"}', n: 1, isLeaseless: true })
  expect(offered(held)).toEqual([false, false, false])
})

test('a key of a nested election blocks the queue: nobody leads', () => {
  const blocked = seats({ name: 'x', n: 1, key: 'el/deeper/1' }, { name: 'a', n: 2 })
  expect([blocked.leader, offered(blocked)]).toEqual([null, [false, false, false]])
})

test('a target is offered while everybody before it would yield', () => {
  const library = { state: 'waiting' as const }
  const targets = targetsOf(
    seats(
      { name: 'a', n: 1, library: leads },
      { name: 'b', n: 2, library },
      { name: 'c', n: 3 },
      { name: 'd', n: 4, library },
      { name: 'e', n: 5, isLeaseless: true },
    ),
  )
  expect(targets.map(({ identity, place, offered: is, isLibrary }) => [identity, place, is, isLibrary])).toEqual([
    ['b', 2, true, true],
    ['c', 3, true, false],
    ['d', 4, false, true],
    ['e', 5, false, false],
  ])
  expect(targets[2]?.why).toContain('c stands before it')
  const nested = targetsOf(
    seats({ name: 'a', n: 1 }, { name: 'x', n: 2, key: 'el/deeper/2' }, { name: 'b', n: 3, library }),
  )
  expect(nested.map(({ identity, place, offered: is }) => [identity, place, is])).toEqual([['b', 3, false]])
})

const leaderOf = (name: string, n: number) => {
  const { leader } = seats({ name, n })
  if (leader === null) throw new Error('no leader')
  return seenOf(leader)
}
const plan = (method: HandoffPlan['method'], more: Partial<HandoffPlan> = {}): HandoffPlan => ({
  ...{
    method,
    leader: { ...leaderOf('a', 1) },
    epoch: 0,
    readAt: rev(9),
    ttlMs: 10_000,
    lastsUntil: null,
    leaseKeys: [],
    target: null,
  },
  ...{ isLibrary: method === 'ask', deadline: instant(0), deadlineMs: 30_000 },
  ...more,
})
const sight = (made: HandoffPlan, ...all: Who[]) => sightOf(REF, made, read(...all), '/tenure/')

test('a handoff is seen by the very key that was to go, not by the name of who leads', () => {
  const made = plan('ask')
  expect(sight(made, { name: 'a', n: 1, library: { state: 'draining' } })).toMatchObject({
    stands: true,
    draining: true,
  })
  const again = sight(made, { name: 'a', n: 7 })
  expect(again).toMatchObject({ stands: false, successor: { identity: 'a' } })
  expect(again.successor && successorWords(made, again.successor)).toBe(
    'a was re-elected: same identity, new term, token 7',
  )
})

test('only what the former leader says of this very term acknowledges it', () => {
  const made = plan('ask')
  const said = (library: Partial<Presence>) => sight(made, { name: 'b', n: 2 }, { name: 'a', n: 8, library })
  const at = instant(0)
  const term = { epoch: 0, revision: rev(1) }
  const resigned = said({ lastResign: { reason: 'handed off by Ann: test', token: term } })
  expect(acknowledgedPhase(made, resigned, at)).toMatchObject({
    known: 'reported',
    evidence: expect.stringContaining('Ann'),
  })
  expect(acknowledgedPhase(made, said({ token: term }), at)?.known).toBe('reported')
  for (const other of [
    { epoch: 1, revision: rev(1) },
    { epoch: 0, revision: rev(2) },
  ]) {
    expect(acknowledgedPhase(made, said({ token: other, lastResign: { reason: '', token: other } }), at)).toBeNull()
  }
  expect(acknowledgedPhase(made, said({ state: 'leading', token: term }), at)).toBeNull()
})

test('only an asked leader is expected to drain, and a foreign one not to acknowledge', () => {
  expect(expectedPhases(plan('ask')).map(({ name }) => name)).toEqual([
    'requested',
    'draining',
    'released',
    'elected',
    'acknowledged',
  ])
  const forced = expectedPhases(plan('revoke-session'))
  expect(forced.map(({ name, known }) => [name, known])).toEqual([
    ['requested', 'not yet'],
    ['released', 'not yet'],
    ['elected', 'not yet'],
    ['acknowledged', 'not yet'],
  ])
  expect(forced.at(-1)?.evidence).toBe('a cannot acknowledge. A Go client notices within 3.3 s.')
  expect(expectedPhases(plan('remove-key')).at(-1)?.evidence).toContain('probably not notice')
})

test('a former leader is warned of while its lease or its claim lives, and no longer', () => {
  const left = (of: 'gone' | 'stands' | 'renewed' | 'denied' | 'not known', claims: boolean) =>
    warningsOf(plan('remove-key'), { lease: of, claims })
  expect(left('gone', false)).toEqual([])
  expect(left('stands', false)).toEqual([
    `The previous holder’s lease ${lease(1)} still stands: a may still act. Restart that process.`,
  ])
  expect(left('renewed', false)[0]).toContain('is still renewed')
  expect(left('denied', false)[0]).toContain('does not tell')
  expect(left('not known', false)).toEqual([])
  expect(left('gone', true)).toEqual(['a still claims token 1: it may still act. Restart that process.'])
  expect(left('renewed', true)).toHaveLength(2)
})

const CLUSTER: Cluster = {
  ...{ name: 'test', clusterId: '1', revision: rev(90), epoch: 0, freshness: 'live', asOf: null, quorum: true },
  ...{ watched: [], readOnly: false, probeP95Ms: null, raftTerm: '1', raftLeaderChanges: [], gaps: [] },
  members: [{ id: '1', name: 'm', isRaftLeader: true, reachable: true, probeRttMs: 4 }],
  sampling: { leaders: 0, sampled: 0 },
}

test('each check says what was found, and what is not known never passes', () => {
  const nextUp = seats({ name: 'a', n: 1 }, { name: 'b', n: 2 }).waiters[0] ?? null
  const facts = { cluster: CLUSTER, readAt: rev(100), layout: 'queue' as const, nextUp, waiting: 0, inFlight: false }
  const of = (more: object) =>
    Object.fromEntries(
      checksOf({
        ...facts,
        nextTtl: { grantedMs: 10_000, remainingMs: 8_600 },
        role: 'operator',
        refusal: null,
        ...more,
      }).map(({ id, is }) => [id, is]),
    )
  expect(of({})).toEqual({
    ...{ quorum: 'pass', standby: 'pass', current: 'pass', 'in-flight': 'pass', allowed: 'pass', fencing: 'unknown' },
  })
  expect(of({ nextUp: null }).standby).toBe('fail')
  expect(of({ nextTtl: 'gone' }).standby).toBe('fail')
  expect(of({ nextTtl: null }).standby).toBe('unknown')
  expect(of({ layout: 'single-key', nextUp: null }).standby).toBe('unknown')
  expect(of({ layout: 'single-key', nextUp: null, waiting: 1 }).standby).toBe('pass')
  expect(of({ cluster: { ...CLUSTER, freshness: 'stale' } }).current).toBe('fail')
  expect(of({ inFlight: true })['in-flight']).toBe('fail')
  expect(of({ refusal: { code: 'unconfirmed', why: 'x', fix: 'y' } }).allowed).toBe('fail')
})

test('a handoff is acknowledged for two minutes, unless it was in vain', () => {
  const operation = (is: 'verified' | 'failed' | 'unknown' | null, verb = 'handoff'): Operation => ({
    ...{ id: 'op-1', verb, cluster: 'test', ref: REF, by: 'Ann', reason: 'drain', at: instant(1_000_000) },
    ...{ phases: [], warnings: [], outcome: is === null ? null : { is, words: '', revision: null } },
  })
  const words = 'Handed off 1 m 59 s ago by Ann: drain'
  expect(coolDownOf([operation('verified')], 1_119_000)).toMatchObject({ operation: 'op-1', words })
  expect(coolDownOf([operation('unknown')], 1_119_000)).not.toBeNull()
  expect(coolDownOf([operation('verified')], 1_120_000)).toBeNull()
  expect(coolDownOf([operation('failed'), operation('verified', 'confirmElection')], 1_001_000)).toBeNull()
})
