/** What ten thousand elections cost: the start, memory, requests to etcd, and the page that lists them. */
import type { EtcdCluster } from '../../../e2e/harness/etcd.ts'
import type { Etcd3 } from '../../../e2e/harness/raw-etcd.ts'
import { atMostMore, type Row } from '../support/row.ts'
import { startBrowser } from './chromium.ts'
import { coldStartRow, startCold } from './cold-start.ts'
import { requestRows } from './etcd-requests.ts'
import { fillFleet } from './fleet.ts'
import { settledMb } from './memory.ts'
import { scriptRow } from './scripts-of-page.ts'
import { searchRow } from './search.ts'

const UNDER = '/bench/large/'
const ELECTIONS = 10_000
const CANDIDATES = 3
const SETTLE_MS = 15_000

async function idleMb(endpoints: readonly string[]): Promise<number> {
  const { dashboard } = await startCold(endpoints, '/bench/nothing/', 0)
  try {
    return await settledMb(dashboard.pid, SETTLE_MS)
  } finally {
    await dashboard.stop()
  }
}

export async function* largeRows(etcd: EtcdCluster, client: Etcd3): AsyncGenerator<Row> {
  const fleet = await fillFleet(client, { under: UNDER, elections: ELECTIONS, candidates: CANDIDATES })
  const idle = await idleMb(etcd.endpoints)
  const { row, dashboard } = await coldStartRow(etcd, UNDER, ELECTIONS)
  try {
    yield row
    const full = await settledMb(dashboard.pid, SETTLE_MS)
    const reach = atMostMore(150)
    yield { name: 'server memory, 10,000 elections, over an idle one', value: full, unit: 'MB', reference: idle, reach }
    yield* await requestRows(etcd.endpoints)
    const browser = await startBrowser()
    try {
      const { url } = dashboard
      yield await searchRow({ browser, url, fleet, under: UNDER })
      yield await scriptRow(browser, url)
    } finally {
      await browser.stop()
    }
  } finally {
    await dashboard.stop()
  }
}
