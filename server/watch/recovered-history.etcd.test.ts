import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { connect, deleteKey, type Etcd3, enterCandidate } from '../../e2e/harness/raw-etcd.ts'
import { instant, steadyClock } from '../../lib/shared/clock.ts'
import { FakeHistory } from '../history/fake-history.ts'
import { eventually, startWatching, type Watching } from './watch-for-test.ts'

const PREFIX = '/elections/past/recovered'

/** Loses what it is told while the disk refuses. */
class Forgetful extends FakeHistory {
  override record(...told: Parameters<FakeHistory['record']>): void {
    if (this.failure === null) super.record(...told)
  }
}

const clock = steadyClock()
const history = new Forgetful(clock)
let etcd: EtcdCluster
let client: Etcd3
let watching: Watching

beforeAll(async () => {
  etcd = await startEtcd({ members: 1 })
  client = connect(etcd.endpoints)
})
afterAll(async () => {
  await watching.stop()
  client.close()
  await etcd.stop()
})

test('who came and went while history could not be written is known to it once it can', async () => {
  const enter = (value: string) => enterCandidate(client, { prefix: PREFIX, value, ttlSeconds: 600 })
  const queue = async () => {
    const [state] = (await history.past('test', instant(clock.nowMs()))).elections
    return state?.candidates.map(({ identity }) => identity)
  }
  const first = await enter('a')
  await enter('b')
  watching = startWatching({ endpoints: etcd.endpoints, watch: ['/elections/'], history })
  await watching.until(`${PREFIX}/`, ({ candidates }) => candidates.length === 2)
  await watching.live()
  expect(await queue()).toEqual(['a', 'b'])

  const info = () => watching.watcher.elections.view.info
  history.failure = 'disk full'
  await eventually(() => info().historyError === 'disk full')
  await deleteKey(client, first.key)
  await enter('c')
  await watching.until(`${PREFIX}/`, ({ candidates }) => candidates.at(-1)?.identity === 'c')
  history.failure = null
  expect(await queue()).toEqual(['a', 'b'])
  await eventually(() => info().historyError === undefined)
  expect(await queue()).toEqual(['b', 'c'])
})
