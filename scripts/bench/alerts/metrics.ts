/** One scrape of a thousand elections, against writing out the same elections as JSON. */
import type { Said } from '../../../lib/election/changes.ts'
import { ClusterView } from '../../../lib/election/cluster-view.ts'
import { refOf } from '../../../lib/election/ids.ts'
import { openElection, reduceElection } from '../../../lib/election/reducer.ts'
import type { Cluster, ElectionState, LeaseId, Revision } from '../../../lib/election/types.ts'
import { instant, systemClock } from '../../../lib/shared/clock.ts'
import { Metrics } from '../../../server/metrics/metrics.ts'
import { median } from '../support/median.ts'
import { atMost, type Row } from '../support/row.ts'

const ELECTIONS = 1_000
const CANDIDATES = 3
const RUNS = 15
const MB = 1_000_000

const clusterOf = (nowMs: number): Cluster => ({
  name: 'bench',
  clusterId: '1',
  revision: '5000000' as Revision,
  epoch: 0,
  freshness: 'live',
  asOf: instant(nowMs),
  quorum: true,
  watched: [{ prefix: '/elections/', prefixBase64: btoa('/elections/') }],
  readOnly: false,
  members: [],
  probeP95Ms: 5,
  raftTerm: '2',
  raftLeaderChanges: [],
  sampling: { leaders: ELECTIONS, sampled: ELECTIONS },
  gaps: [],
  switches: [],
})

const claimOf = (index: number, lease: LeaseId, nowMs: number): Said => ({
  instance: `instance-${index}`,
  identity: `worker-${index}-1`,
  lease,
  state: 'leading',
  token: { epoch: 0, revision: String(Number.parseInt(lease, 16)) as Revision },
  validUntil: instant(nowMs + 600_000),
  reportedAt: instant(nowMs),
  lastWorkAt: null,
  rejections: 0,
  missed: 0,
})

/** With leases looked up, one ended term, and a leader that reports: everything that has a series. */
function electionAt(index: number, nowMs: number): ElectionState {
  const prefix = `/elections/team-${index % 40}/job-${index}/`
  const keys = Array.from({ length: CANDIDATES }, (_, place) => {
    const number = 1_000 + index * CANDIDATES + place
    const key = `${prefix}${number.toString(16)}`
    return {
      key,
      keyBase64: btoa(key),
      identity: `worker-${index}-${place}`,
      valueBytes: 12,
      lease: number.toString(16).padStart(16, '0') as LeaseId,
      createRevision: String(number) as Revision,
      modRevision: String(number) as Revision,
      nested: false,
    }
  })
  const opened = openElection({
    type: 'opened',
    at: instant(nowMs - 60_000),
    revision: '5000' as Revision,
    live: true,
    layout: 'queue',
    prefix,
    prefixBase64: btoa(prefix),
    confirmed: true,
    foundBy: 'key ends in its own lease id',
    epoch: 0,
    keys,
  }).state
  const second = keys[1]
  const sample = { grantedMs: 15_000, remainingMs: 11_000, asOf: instant(nowMs) }
  return [
    { type: 'lease', lease: second?.lease as LeaseId, sample } as const,
    {
      type: 'revision',
      at: instant(nowMs - 30_000),
      revision: '6000' as Revision,
      puts: [],
      deletes: [keys[0]?.keyBase64 ?? ''],
    } as const,
    {
      type: 'cause',
      token: keys[0]?.createRevision as Revision,
      endedBy: { cause: 'lease lost', evidence: 'gone' },
    } as const,
    { type: 'claims', put: [claimOf(index, second?.lease as LeaseId, nowMs)] } as const,
  ].reduce<ElectionState>((state, change) => reduceElection(state, change).state, opened)
}

/** For `npm run bench -- alerts`. */
export async function measureMetrics(): Promise<Row[]> {
  const nowMs = Date.now()
  const view = new ClusterView(
    clusterOf(nowMs),
    Array.from({ length: ELECTIONS }, (_, index) => electionAt(index, nowMs)),
  )
  const watcher = {
    elections: { view },
    members: { activeAlarms: () => [] },
    heartbeatAgeMs: () => 200,
    refresh: () => {},
  }
  const metrics = new Metrics({
    clock: systemClock,
    watched: new Map([['bench', watcher]]),
    history: { state: () => ({ ok: true }) },
    maxElections: 2_000,
    version: '0.0.0',
    processMetrics: true,
  })
  for (let index = 0; index < ELECTIONS; index += 1) {
    const ref = refOf('queue', `/elections/team-${index % 40}/job-${index}/`)
    metrics.listener.onSample?.({ cluster: 'bench', source: 'margin', ref }, instant(nowMs), 73)
  }
  const scrapes: number[] = []
  const references: number[] = []
  let bytes = 0
  for (let run = 0; run < RUNS; run += 1) {
    let startedMs = performance.now()
    const { body } = await metrics.render(run % 2 === 0 ? 'text' : 'openmetrics')
    scrapes.push(performance.now() - startedMs)
    bytes = Buffer.byteLength(body)
    startedMs = performance.now()
    JSON.stringify([...view.elections.values()])
    references.push(performance.now() - startedMs)
  }
  return [
    {
      name: `/metrics, ${ELECTIONS} elections`,
      value: median(scrapes),
      unit: 'ms',
      reference: median(references),
      reach: atMost(150),
    },
    { name: `/metrics, ${ELECTIONS} elections, size`, value: bytes / MB, unit: 'MB', reach: atMost(3) },
  ]
}
