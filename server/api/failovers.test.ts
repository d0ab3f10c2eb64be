/** Changes of leader over all elections, as callers get them. */
import { beforeEach, describe, expect, test } from 'vitest'
import { ClusterView } from '../../lib/election/cluster-view.ts'
import type { Cluster, Term } from '../../lib/election/types.ts'
import { FakeHistory } from '../history/fake-history.ts'
import { at, election, ended, LOST, ManualClock, RESIGNED, started, term } from '../history/fixtures.ts'
import type { Runtime } from '../runtime-slot.ts'
import { failoversList, failoversSummary } from './failover-contract-for-test.ts'
import { appRouter } from './router.ts'

const CLUSTER = 'prod'
const RANGE = { cluster: CLUSTER, from: at(0), to: at(1_000) }
const OBJECTIVES = {
  led: 99.9,
  failover: { percent: 95, withinMs: 12_000 },
  elections: [{ pattern: '/elections/billing', led: 99.99 }],
}
const watched = [{ prefix: '/elections/', prefixBase64: btoa('/elections/') }]

let history: FakeHistory
let view: ClusterView
let caller: ReturnType<typeof appRouter.createCaller>
beforeEach(() => {
  const clock = new ManualClock()
  clock.ms += 1_000_000
  history = new FakeHistory(clock)
  view = new ClusterView({ name: CLUSTER, watched } as unknown as Cluster)
  const runtime = {
    history,
    clock,
    config: { objectives: OBJECTIVES },
    watchers: new Map([[CLUSTER, { refresh: () => {}, elections: { view } }]]),
  }
  const actor = { kind: 'loopback', role: 'admin' } as const
  caller = appRouter.createCaller({ runtime: runtime as unknown as Runtime, actor, address: '' })
})

function keep(name: string, terms: readonly Term[]): void {
  for (const each of terms) {
    history.record(CLUSTER, election(`elections/${name}`), [each.to === null ? started(each) : ended(each)])
  }
}

const names = ['billing', 'search', 'mail', 'index', 'ledger']
/** All lose their leader within two seconds, and have another one 200 ms later. */
function massLoss(fromS: number): void {
  for (const [n, name] of names.entries()) {
    const to = fromS + n * 0.5
    keep(name, [
      term(1, 10, 0, { to: at(to), endedBy: LOST, silentMs: 9_000 }),
      term(2, 20, to + 0.2, { gapMs: 200, takeoverMs: 300 }),
    ])
  }
}

describe('failovers.summary', () => {
  test('has the shape of docs/api.md; a mass event is one of the points, counts as its members, and is told once', async () => {
    massLoss(100)
    keep('billing', [
      term(2, 20, 100.2, {
        to: at(200),
        endedBy: { ...RESIGNED, cause: 'handed off', by: 'ann' },
        gapMs: 200,
        takeoverMs: 300,
      }),
      term(3, 30, 200.4, { to: at(300), endedBy: LOST, gapMs: 400 }),
    ])
    const summary = failoversSummary.parse(await caller.failovers.summary(RANGE))
    expect(summary.totals).toEqual({ failovers: 6, planned: 1, unobserved: 0, open: 1 })
    expect(summary.quantiles).toMatchObject({ measured: 5, p50Ms: 9_500, withinObjective: 5 })
    expect(summary.masses.events).toMatchObject([{ elections: 5, words: '5 elections moved within 2 s' }])
    expect(summary.points.map(({ kind, open, election: n }) => [kind, open, summary.elections[n ?? -1]?.name])).toEqual(
      [
        ['planned', undefined, 'billing'],
        ['failover', true, 'billing'],
      ],
    )
    expect(summary.newest.map(({ at: moment, by, former, next }) => [moment, by, former.token, next?.token])).toEqual([
      [at(300), undefined, '30', undefined],
      [at(200), 'ann', '20', '30'],
    ])
    expect(summary.causes.map(({ cause, count, mass }) => [cause, count, mass])).toEqual([
      ['lease lost', 6, 5],
      ['handed off', 1, 0],
    ])
  })

  test('says that the etcd raft leader changed before, when it did', async () => {
    const raft = { kind: 'raft-leader', words: '', to: null } as const
    history.recordConditions(CLUSTER, [
      { ...raft, subject: 'etcd-1', from: at(-500), to: at(98), raftTerm: '4' },
      { ...raft, subject: 'etcd-2', from: at(99), raftTerm: '5' },
    ])
    massLoss(100)
    const { masses } = await caller.failovers.summary(RANGE)
    expect(masses.events[0]?.words).toBe('5 elections moved within 2 s, etcd raft leader changed 1 s before')
  })

  test('judges each election by the time it was led, against its own objective', async () => {
    massLoss(100)
    const { led, elections } = await caller.failovers.summary({ ...RANGE, elections: 2 })
    expect(led.count).toBe(5)
    expect(led.most).toHaveLength(2)
    expect(led.least[0]).toMatchObject({ ledShare: 1 - 0.0002, leaderlessMs: 200, failovers: 1 })
    const billing = elections.find(({ name }) => name === 'billing')
    expect(billing).toMatchObject({ isKnown: false, ledObjective: 99.99 })
  })

  test('judges no time that has not come, and no mutex for being free', async () => {
    massLoss(100)
    const far = { ...RANGE, to: at(9_000) }
    const before = await caller.failovers.summary(far)
    expect(before.to).toBe(at(1_000))
    expect(before.led.least.every(({ judgedMs }) => judgedMs === 1_000_000)).toBe(true)
    const { ref, prefix } = election('elections/mail')
    view.elections.set(ref, {
      ref,
      prefix,
      layout: 'queue',
      confirmed: true,
      valuesEmpty: true,
      lastOrdinal: 2,
    } as never)
    const { led } = await caller.failovers.summary(far)
    expect([led.count, led.least.length, led.most.length]).toEqual([4, 4, 5])
  })

  test('takes text and causes, also for its newest rows', async () => {
    massLoss(100)
    keep('billing', [term(2, 20, 100.2, { to: at(200), endedBy: RESIGNED })])
    const only = await caller.failovers.summary({ ...RANGE, text: 'BILL', causes: ['resigned or removed'] })
    expect(only.totals).toMatchObject({ failovers: 0, planned: 1 })
    expect(only.newest).toHaveLength(1)
    expect(only.led.most).toMatchObject([{ failovers: 1 }])
  })

  test('is empty where nothing was seen, and not zero', async () => {
    const { quantiles, led, points } = failoversSummary.parse(await caller.failovers.summary(RANGE))
    expect([quantiles.p95Ms, led.count, points]).toEqual([null, 0, []])
  })

  test.each([
    [{ to: at(-1) }, /must not be before from/],
    [{ from: '2020-01-01T00:00:00Z' }, /at most 366 days/],
    [{ causes: ['boredom'] }, /must be of resigned or removed/],
    [{ text: '' }, /must not be empty/],
    [{ cluster: 'elsewhere' }, /no cluster "elsewhere" is configured/],
  ])('refuses %o and says what would be right', async (part, words) => {
    await expect(caller.failovers.summary({ ...RANGE, ...(part as object) })).rejects.toThrow(words)
  })
})

describe('failovers.list', () => {
  test('has every change, newest first, a page at a time, and names what nobody knows', async () => {
    massLoss(100)
    const first = failoversList.parse(await caller.failovers.list({ ...RANGE, limit: 3 }))
    expect(first.rows[0]).toMatchObject({
      election: { name: 'ledger', isKnown: false },
      at: at(102),
      totalMs: 9_500,
      unknownParts: [],
      former: { identity: 'worker-1', token: '10' },
      next: { identity: 'worker-2', token: '20', from: at(102.2) },
    })
    const rest = await caller.failovers.list({ ...RANGE, limit: 3, cursor: first.nextCursor ?? '' })
    expect(rest.rows.map((row) => row.election.name)).toEqual(['search', 'billing'])
    expect(rest.nextCursor).toBeUndefined()
  })

  test('tells two candidates of one name apart: a failover between them is one', async () => {
    const localhost = { leader: { ...term(1, 1, 0).leader, identity: 'localhost' } }
    keep('mail', [
      term(1, 10, 0, { ...localhost, to: at(50), endedBy: LOST }),
      term(2, 20, 51, { ...localhost, gapMs: 1_000 }),
    ])
    const { rows } = await caller.failovers.list(RANGE)
    expect(rows).toMatchObject([
      {
        kind: 'failover',
        former: { identity: 'localhost', token: '10' },
        next: { identity: 'localhost', token: '20' },
        unknownParts: ['detect', 'takeover'],
      },
    ])
  })

  test('refuses a cursor that is none', async () => {
    await expect(caller.failovers.list({ ...RANGE, cursor: 'x' })).rejects.toThrow('is not a cursor')
  })
})
