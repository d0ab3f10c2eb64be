/** Confirm → the last of a hundred library workers aborted, beside a bare put → the last of as many bare watchers. */
import type { Dashboard } from '../../../e2e/harness/dashboard.ts'
import type { EtcdCluster } from '../../../e2e/harness/etcd.ts'
import { machineMs } from '../../../e2e/harness/machine-clock.ts'
import { connect } from '../../../e2e/harness/raw-etcd.ts'
import { note, percentile } from '../live/numbers.ts'
import { startChild } from '../load/child.ts'
import { atMost, atMostTimes, type Row } from '../support/row.ts'
import { DashboardClient } from './dashboard-client.ts'

const WORKERS = 100
const ROUNDS = 20
const SCOPE = '/elections/bench/stop/'
const BARE_KEY = '/bare/watched'
const HOUR_MS = 3_600_000

interface Round {
  /** From the moment it was confirmed. */
  confirmedMs: number
  /** From the moment the record's event reached a bare watch: etcd had acknowledged it just before. */
  acknowledgedMs: number
  bareMs: number
}

export async function* stopRows(etcd: EtcdCluster, dashboard: Dashboard): AsyncGenerator<Row> {
  const [endpoint = ''] = etcd.endpoints
  const crowd = startChild('../actions/stop-crowd.ts', [endpoint, WORKERS, BARE_KEY])
  const client = connect(etcd.endpoints)
  try {
    await Promise.all([crowd.next('workers and watchers', 60_000), crowd.next('workers and watchers', 60_000)])
    const records = await client.watchClient.watch()
    let recordMs = 0
    records.on('data', ({ events }: { events: readonly unknown[] }) => {
      if (events.length > 0) recordMs = machineMs()
    })
    records.write({ create_request: { key: Buffer.from(`/tenure/switch/${SCOPE}`) } } as never)
    const tenure = new DashboardClient(dashboard.url)
    const rounds: Round[] = []
    for (let at = 0; at < ROUNDS; at += 1) {
      const { confirmedMs, abortedMs } = await stopOnce(tenure, crowd)
      const acknowledgedMs = abortedMs - recordMs
      const putMs = machineMs()
      await client.kv.put({ key: Buffer.from(BARE_KEY), value: Buffer.from(String(at)) })
      const { sawMs } = await crowd.next<{ sawMs: number }>('bare watchers')
      rounds.push({ confirmedMs: abortedMs - confirmedMs, acknowledgedMs, bareMs: sawMs - putMs })
      await release(tenure)
      await crowd.next('leaders again', 60_000)
    }
    yield* rowsOf(rounds)
  } finally {
    client.close()
    await crowd.kill()
  }
}

type Crowd = ReturnType<typeof startChild>

async function stopOnce(tenure: DashboardClient, crowd: Crowd) {
  const until = new Date(Date.now() + HOUR_MS).toISOString()
  const scope = { cluster: 'test', scopeBase64: btoa(SCOPE), match: 'prefix', mode: 'cooperative' }
  const confirmedMs = machineMs()
  const engaged = tenure.act('actions.engageSwitch', { ...scope, reason: 'bench', until, typedName: SCOPE })
  const { abortedMs } = await crowd.next<{ abortedMs: number }>('aborted workers')
  await engaged
  return { confirmedMs, abortedMs }
}

async function release(tenure: DashboardClient): Promise<void> {
  const scopeBase64 = btoa(SCOPE)
  const { nonce } = await tenure.query<{ nonce: string }>('actions.switchProof', { cluster: 'test', scopeBase64 })
  await tenure.act('actions.releaseSwitch', { cluster: 'test', scopeBase64, nonce, reason: 'bench', typedName: SCOPE })
}

function* rowsOf(rounds: readonly Round[]): Generator<Row> {
  const of = (field: keyof Round) => rounds.map((round) => round[field])
  const p50 = (field: keyof Round) => percentile(of(field), 0.5).toFixed(1)
  note(`p50: confirm ${p50('confirmedMs')} ms, acknowledged ${p50('acknowledgedMs')} ms, bare ${p50('bareMs')} ms`)
  yield {
    name: `confirm → last of ${WORKERS} library workers aborted, p99`,
    value: percentile(of('confirmedMs'), 0.99),
    reference: percentile(of('bareMs'), 0.99),
    unit: 'ms',
    reach: atMost(500),
  }
  yield {
    name: `record acknowledged → last of ${WORKERS} aborted, beside a bare put → last of ${WORKERS} watchers, p50`,
    value: percentile(of('acknowledgedMs'), 0.5),
    reference: percentile(of('bareMs'), 0.5),
    unit: 'ms',
    reach: atMostTimes(5),
  }
}
