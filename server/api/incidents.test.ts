/** The report of an incident, as callers and downloads get it. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Alert } from '../../lib/election/alerts.ts'
import { ClusterView } from '../../lib/election/cluster-view.ts'
import { alert } from '../../lib/election/incident-for-test.ts'
import type { Cluster, Revision, Term } from '../../lib/election/types.ts'
import { AuditUnavailable } from '../history/audit.ts'
import { draft, outcome, refusal } from '../history/audit-fixtures.ts'
import { FakeAudit } from '../history/fake-audit.ts'
import { FakeHistory } from '../history/fake-history.ts'
import { at, election, ended, LOST, ManualClock, RESIGNED, START_MS, started, term } from '../history/fixtures.ts'
import { HistoryUnavailable } from '../history/history.ts'
import type { Runtime } from '../runtime-slot.ts'
import { incidentReportShape } from './incident-contract-for-test.ts'
import { answerIncident } from './incident-export.ts'
import { appRouter } from './router.ts'

const CLUSTER = 'prod'
const RANGE = { cluster: CLUSTER, from: at(0), to: at(1_000) }
const OBJECTIVES = { led: 99.9, failover: { percent: 95, withinMs: 12_000 }, elections: [] }
const watched = [{ prefix: '/elections/', prefixBase64: btoa('/elections/') }]
const LOOPBACK = { kind: 'loopback', role: 'admin' } as const

let history: FakeHistory
let audit: FakeAudit
let runtime: Runtime
let fired: Alert[]
let firedIn: (range: object) => Alert[]
let caller: ReturnType<typeof appRouter.createCaller>
beforeEach(() => {
  const clock = new ManualClock()
  clock.ms = START_MS - 10_000_000
  history = new FakeHistory(clock)
  // It has watched for long.
  history.alive(CLUSTER, { at: at(-10_000), epoch: 0, revision: '1' as Revision })
  clock.ms = START_MS + 2_000_000
  const duringRange = new ManualClock()
  duringRange.ms = START_MS + 50_000
  audit = new FakeAudit(duringRange)
  const view = new ClusterView({ name: CLUSTER, watched } as unknown as Cluster)
  fired = []
  firedIn = () => fired
  runtime = {
    alerts: { firedIn: (range: object) => firedIn(range) },
    history,
    audit,
    clock,
    config: { objectives: OBJECTIVES },
    auth: { whoIs: async () => LOOPBACK },
    watchers: new Map([[CLUSTER, { refresh: () => {}, elections: { view } }]]),
  } as unknown as Runtime
  caller = appRouter.createCaller({ runtime, actor: LOOPBACK, address: '' })
})

const refOf = (name: string) => election(`elections/${name}`).ref

function keep(name: string, terms: readonly Term[]): void {
  for (const each of terms) {
    history.record(CLUSTER, election(`elections/${name}`), [each.to === null ? started(each) : ended(each)])
  }
}

/** `first` is lost at 100 s, and followed 200 ms later. */
function failover(name: string, endedBy = LOST): void {
  keep(name, [
    term(1, 10, -50, { to: at(100), endedBy, silentMs: 9_000 }),
    term(2, 20, 100.2, { gapMs: 200, takeoverMs: 300 }),
  ])
}

const report = async (part: object = {}) =>
  incidentReportShape.parse(await caller.incidents.report({ ...RANGE, ...part }))

async function download(query: string, part: Partial<Record<keyof Runtime, unknown>> = {}) {
  const request = new Request(`http://localhost/api/incident?${query}`)
  const { status, headers, ...response } = await answerIncident(request, { ...runtime, ...part } as Runtime).then(
    async (answer) => ({ status: answer.status, headers: answer.headers, text: await answer.text() }),
  )
  return { status, type: headers.get('content-type'), disposition: headers.get('content-disposition'), ...response }
}

const query = (part: Record<string, string> = {}) =>
  new URLSearchParams({ ...RANGE, format: 'markdown', ...part }).toString()

describe('incidents.report', () => {
  test('has every election that changed, those with failovers first, and not the quiet ones', async () => {
    failover('planned', RESIGNED)
    failover('lost')
    keep('quiet', [term(1, 5, -500)])
    const { elections, summary, untold, entries } = await report()
    expect(elections.map(({ name }) => name)).toEqual(['lost', 'planned'])
    expect(summary).toBe(
      '1 failover and 1 other change in 2 elections in 16 m 40 s; 400 ms without a leader, all elections together.',
    )
    expect(untold).toEqual({ elections: 0, isMore: false, actions: 'none', alerts: 'none' })
    expect(entries.map(({ type }) => type)).toEqual(['term-ended', 'term-ended', 'term-began', 'term-began'])
    expect(elections[0]?.figures).toMatchObject({ failovers: 1, leaderlessMs: 200, longestFailoverMs: 9_500 })
  })

  test('counts the elections beyond fifty that changed, and has those that were asked for', async () => {
    for (let n = 0; n < 53; n += 1) failover(`job-${n}`, RESIGNED)
    failover('lost')
    const all = await report()
    expect([all.elections.length, all.elections[0]?.name, all.untold.elections]).toEqual([50, 'lost', 4])
    const two = await report({ refs: [refOf('job-3'), refOf('lost'), refOf('lost')] })
    expect(two.elections.map(({ name }) => name)).toEqual(['job-3', 'lost'])
    expect(two.untold.elections).toBe(52)
  })

  test('has what people said of the terms', async () => {
    failover('lost')
    const about = { cluster: CLUSTER, ref: refOf('lost'), epoch: 0, token: '10' as Revision, at: at(1_500), by: 'ann' }
    await history.annotate({ ...about, kind: 'note', text: 'The disk was full.', after: null })
    const [lost] = (await report()).elections
    expect(lost?.terms[0]?.note).toEqual({ at: at(1_500), by: 'ann', text: 'The disk was full.' })
  })

  test('has gaps, kill switches and what etcd was like, those that began before it too', async () => {
    failover('lost')
    const raft = { kind: 'raft-leader', words: '', to: null } as const
    history.recordConditions(CLUSTER, [
      { ...raft, subject: 'etcd-1', from: at(-500), to: at(98), raftTerm: '4' },
      { ...raft, subject: 'etcd-2', from: at(99), raftTerm: '5' },
    ])
    history.recordGap(CLUSTER, { from: at(-20), to: at(5), reason: 'Tenure was not running' })
    history.recordGap(CLUSTER, { from: at(-60), to: at(-40), reason: 'before' })
    const stop = {
      scope: '/elections/',
      scopeBase64: btoa('/elections/'),
      match: 'prefix',
      nonce: 'n',
      by: 'ann',
    } as const
    const over = { reason: 'deploy', to: null, ended: null, endedBy: null }
    history.recordStops(CLUSTER, [{ ...stop, ...over, from: at(-5) }])
    history.recordStops(CLUSTER, [
      { ...stop, ...over, scope: '/x/', scopeBase64: btoa('/x/'), nonce: 'm', from: at(-4) },
    ])
    const types = async (part: object) => (await report(part)).entries.map(({ type, at: from }) => [type, from])
    expect(await types({})).toEqual([
      ['gap', at(-20)],
      ['stop', at(-5)],
      ['stop', at(-4)],
      ['raft-leader', at(99)],
      ['term-ended', at(100)],
      ['term-began', at(100.2)],
    ])
    expect((await types({ refs: [refOf('lost')] })).filter(([type]) => type === 'stop')).toEqual([['stop', at(-5)]])
  })

  test('has a mass event of elections that it does not tell', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) failover(name)
    const { entries, untold } = await report({ refs: [refOf('a')] })
    expect(entries.find(({ type }) => type === 'mass-event')?.words).toBe('5 elections moved within 1 s')
    expect(untold.elections).toBe(4)
  })

  test('tells an action with what came of it, once; those of other elections only where all are asked for', async () => {
    failover('lost')
    const subject = { cluster: CLUSTER, ref: refOf('lost'), name: 'lost' }
    audit.add(draft({ subject }))
    audit.add(outcome('verified', { subject }))
    audit.add(refusal({ operation: 'op-2', subject: { cluster: CLUSTER, ref: refOf('other'), name: 'other' } }))
    audit.add(draft({ operation: 'op-3', verb: 'engage', subject: { cluster: CLUSTER, scope: '', scopeBase64: '' } }))
    audit.add(draft({ operation: 'op-4', subject: { cluster: 'elsewhere' } }))
    const actions = async (part: object) =>
      (await report(part)).entries.filter(({ type }) => type === 'action').map(({ words }) => words)
    const [handoff, other, stop] = [
      'Anna: Hand off: verified. worker-2 leads.',
      'Anna: Hand off (other): refused. What is shown is stale.',
      'Anna: Engage kill switch (everything): no outcome yet',
    ]
    expect((await actions({})).toSorted()).toEqual([other, handoff, stop].toSorted())
    expect((await actions({ refs: [refOf('lost')] })).toSorted()).toEqual([handoff, stop].toSorted())
  })

  test('says so when the audit log cannot be read', async () => {
    failover('lost')
    audit.list = () => {
      throw new AuditUnavailable('the disk failed')
    }
    expect((await report()).untold.actions).toBe('unreadable')
  })

  test('has the alerts of its elections, of the cluster, and of Tenure as a whole', async () => {
    failover('lost')
    const of = (name: string, part: Partial<Alert> = {}): Alert => ({
      ...alert(),
      cluster: CLUSTER,
      firedAt: at(110),
      resolvedAt: at(130),
      summary: `${name} is wrong`,
      ...part,
    })
    fired = [
      of('lost', { ref: refOf('lost') }),
      of('quiet', { ref: refOf('quiet') }),
      of('etcd'),
      of('history', { cluster: null }),
    ]
    const asked: object[] = []
    firedIn = (range) => {
      asked.push(range)
      return fired
    }
    const { entries, untold } = await report({ refs: [refOf('lost')] })
    expect(entries.filter(({ type }) => type === 'alert').map(({ words }) => words)).toEqual([
      expect.stringMatching(/^Alert: lost is wrong, fired .* over after 20 s$/),
      expect.stringMatching(/^Alert: etcd is wrong/),
      expect.stringMatching(/^Alert: history is wrong/),
    ])
    expect([asked, untold.alerts]).toEqual([[RANGE], 'none'])
    fired = Array.from({ length: 200 }, () => of('etcd'))
    expect((await report()).untold.alerts).toBe('newest')
  })

  test('says so when alerts cannot be read, and tells the rest', async () => {
    failover('lost')
    firedIn = () => {
      throw new HistoryUnavailable('the disk failed')
    }
    const { untold, entries } = await report()
    expect([untold.alerts, entries.length]).toEqual(['unreadable', 2])
    expect((await download(query())).text).toContain('alerts are missing')
  })

  test.each([
    [{ to: at(0) }, /to: must be after from/],
    [{ from: '2026-01-01T00:00:00Z' }, /at most 31 days after from/],
    [{ from: '2026-03-12 03:00' }, /must be a UTC time such as/],
    [{ refs: ['jobs'] }, /references as elections.list has them/],
    [{ refs: Array.from({ length: 51 }, () => 'q~YQ') }, /must be at most 50/],
    [{ refs: [] }, /must name an election/],
    [{ cluster: 'elsewhere' }, /no cluster "elsewhere" is configured/],
  ])('refuses %j and says what would be right', async (part, words) => {
    await expect(caller.incidents.report({ ...RANGE, ...part })).rejects.toThrow(words)
  })
})

describe('GET /api/incident', () => {
  test('is a Markdown file with a safe name', async () => {
    failover('lost')
    const { status, type, disposition, text } = await download(query())
    expect([status, type]).toEqual([200, 'text/markdown; charset=utf-8'])
    expect(disposition).toBe('attachment; filename="tenure-incident-prod-20260312T030000Z-20260312T031640Z.md"')
    expect(text).toMatch(/^# Incident: elections of prod\n/)
    expect(text).toContain('worker-1 lost the lead')
  })

  test('is the report itself as JSON, of the elections that are named', async () => {
    failover('lost')
    failover('other')
    const refs = [refOf('lost'), refOf('other')].map((ref) => `ref=${ref}`).join('&')
    const { type, disposition, text } = await download(`${query({ format: 'json' })}&${refs}`)
    expect([type, disposition]).toEqual(['application/json; charset=utf-8', expect.stringMatching(/\.json"$/)])
    expect(incidentReportShape.parse(JSON.parse(text)).elections).toHaveLength(2)
  })

  test.each([
    [query({ format: 'pdf' }), 400, /must be markdown or json/],
    [query({ to: at(0) }), 400, /must be after from/],
    [query({ cluster: 'elsewhere' }), 404, /no cluster "elsewhere"/],
  ])('refuses %s', async (asked, code, words) => {
    const { status, type, text } = await download(asked)
    expect([status, type]).toEqual([code, 'text/plain; charset=utf-8'])
    expect(text).toMatch(words)
  })

  test('is for whoever may look, and for nobody else', async () => {
    expect((await download(query(), { auth: { whoIs: async () => null } })).status).toBe(401)
  })

  test('says that history cannot be read', async () => {
    history.transitionRows = () => Promise.reject(new HistoryUnavailable('the disk failed'))
    expect(await download(query())).toMatchObject({ status: 503, text: 'the disk failed\n' })
  })
})
