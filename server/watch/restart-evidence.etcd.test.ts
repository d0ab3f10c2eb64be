import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { connect, deleteKey, type Etcd3, enterCandidate, revokeLease } from '../../e2e/harness/raw-etcd.ts'
import type { Fact } from '../../lib/election/changes.ts'
import { isPending } from '../../lib/election/terms.ts'
import { FakeHistory } from '../history/fake-history.ts'
import type { ElectionIdentity } from '../history/history.ts'
import { startWatching, type Watching } from './watch-for-test.ts'

let etcd: EtcdCluster
let client: Etcd3
beforeAll(async () => {
  etcd = await startEtcd()
  client = connect(etcd.endpoints)
})
afterAll(async () => {
  client.close()
  await etcd.stop()
})

/** The run ends in the moment in which the end of a term is recorded: before any look-up. */
class LastWords extends FakeHistory {
  onEnd: (() => void) | null = null
  override record(name: string, identity: ElectionIdentity, facts: readonly Fact[]): void {
    super.record(name, identity, facts)
    if (facts.some(({ type }) => type === 'term-ended')) this.onEnd?.()
  }
}

test.each([
  ['alive', 'resigned or removed', /^key gone, lease \w+ still alive when looked up after a restart$/],
  [
    'gone',
    'unobserved',
    /^key gone, lease \w+ gone when looked up after a restart: nothing tells which of them went first$/,
  ],
])('a term that ended just before the server was killed, its lease %s', async (lease, cause, evidence) => {
  const prefix = `/el/${lease}`
  const history = new LastWords()
  const start = () => startWatching({ endpoints: etcd.endpoints, watch: [`${prefix}/`], history })
  const first: Watching = start()
  const a = await enterCandidate(client, { prefix, value: 'a', ttlSeconds: 60 })
  await first.until(`${prefix}/`, ({ term }) => term !== null)
  const killed = new Promise<void>((resolve) => {
    history.onEnd = () => {
      history.onEnd = null
      void first.stop().then(resolve)
    }
  })
  if (lease === 'alive') await deleteKey(client, a.key)
  else await revokeLease(client, a.lease)
  await killed
  const ref = first.state(`${prefix}/`)?.ref
  if (ref === undefined) throw new Error('no election')
  const recorded = async () => (await history.terms({ cluster: 'test', ref, limit: 9 })).terms[0]?.endedBy ?? null
  expect(isPending(await recorded())).toBe(true)

  const second = start()
  await second.until(`${prefix}/`, ({ ended }) => ended.length === 1 && !isPending(ended[0]?.endedBy ?? null))
  expect(second.state(`${prefix}/`)).toMatchObject({
    term: null,
    ended: [{ endedBy: { cause, evidence: expect.stringMatching(evidence) } }],
  })
  expect(await recorded()).toEqual({ cause, evidence: expect.stringMatching(evidence) })
  await second.stop()
})
