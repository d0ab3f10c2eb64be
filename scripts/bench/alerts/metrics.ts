/** One scrape of a thousand elections, against writing out the same elections as JSON. */
import { ClusterView } from '../../../lib/election/cluster-view.ts'
import { refOf } from '../../../lib/election/ids.ts'
import { instant, systemClock } from '../../../lib/shared/clock.ts'
import { Metrics } from '../../../server/metrics/metrics.ts'
import { median } from '../support/median.ts'
import { atMost, type Row } from '../support/row.ts'
import { clusterOf, electionAt } from './elections.ts'

const ELECTIONS = 1_000
const RUNS = 15
const MB = 1_000_000

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
