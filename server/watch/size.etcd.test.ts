import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { connect, deleteKey, type Etcd3, grantLease, leaseHex } from '../../e2e/harness/raw-etcd.ts'
import type { ElectionRef } from '../../lib/election/types.ts'
import { eventually, startWatching, type Watching } from './watch-for-test.ts'

/** `npm run test:long` takes the sizes of the field cases; the ordinary run takes a tenth. */
const LONG = process.env.TENURE_TEST_LONG === '1'
const UNRELATED_KEYS = LONG ? 200_000 : 20_000
const CANDIDATES = LONG ? 20_000 : 2_000
const HANDOVERS = LONG ? 3_000 : 600
const PER_TXN = 100

let etcd: EtcdCluster
let client: Etcd3
let watching: Watching | undefined

beforeAll(async () => {
  etcd = await startEtcd({ members: 1 })
  client = connect(etcd.endpoints)
})
afterEach(async () => {
  await watching?.stop()
  watching = undefined
})
afterAll(async () => {
  client.close()
  await etcd.stop()
})

interface Put {
  key: string
  value: string
  lease?: string
}

async function putAll(puts: readonly Put[]): Promise<void> {
  for (let from = 0; from < puts.length; from += PER_TXN * 8) {
    const batches = Array.from({ length: 8 }, (_, n) => puts.slice(from + n * PER_TXN, from + (n + 1) * PER_TXN))
    await Promise.all(batches.filter((batch) => batch.length > 0).map(putBatch))
  }
}

async function putBatch(batch: readonly Put[]): Promise<void> {
  const success = batch.map(({ key, value, lease = '0' }) => ({
    request_put: { key: Buffer.from(key), value: Buffer.from(value), lease },
  }))
  await client.kv.txn({ compare: [], success, failure: [] })
}

const sizes = () => {
  const states = [...(watching?.watcher.elections.view.elections.values() ?? [])].filter(
    ({ candidates }) => candidates.length > 0,
  )
  return { elections: states.length, candidates: states.reduce((sum, { candidates }) => sum + candidates.length, 0) }
}

test(`${UNRELATED_KEYS} unrelated keys beside 300 elections that come and go while they are listed (RC-05)`, async () => {
  const text = 'x'.repeat(100)
  await putAll(Array.from({ length: UNRELATED_KEYS }, (_, n) => ({ key: `app/${n % 100}/${n}`, value: text })))
  const leases = await Promise.all(Array.from({ length: 5 }, () => grantLease(client, 600)))
  const election = (name: string) =>
    leases.map((lease) => ({ key: `el/${name}/${leaseHex(lease)}`, value: 'w', lease }))
  await putAll(Array.from({ length: 300 }, (_, n) => election(`e${n}`)).flat())

  watching = startWatching({ endpoints: etcd.endpoints, watch: [''] })
  for (let n = 0; n < 20; n += 1) {
    await putBatch(election(`new${n}`))
    await client.kv.deleteRange({ key: Buffer.from(`el/e${n}/`), range_end: Buffer.from(`el/e${n}0`) })
  }
  const exact = () => JSON.stringify(sizes()) === '{"elections":300,"candidates":1500}'
  expect((await eventually(exact, 60_000)) ?? sizes()).toBe(true)
  expect(watching.logged.filter((line) => line.includes('in trouble'))).toEqual([])
}, 240_000)

test(`${CANDIDATES} candidates in one queue: the oldest leads, and the next one after it`, async () => {
  const lease = await grantLease(client, 600)
  const keys = Array.from({ length: CANDIDATES }, (_, n) => `big/queue/c${String(n).padStart(6, '0')}`)
  await putAll(keys.map((key) => ({ key, value: key.slice(-6), lease })))
  await client.kv.put({ key: Buffer.from(`big/queue/${leaseHex(lease)}`), value: Buffer.from('last'), lease })
  watching = startWatching({ endpoints: etcd.endpoints, watch: ['big/'] })
  const state = await watching.until('big/queue/', ({ candidates }) => candidates.length === CANDIDATES + 1, 60_000)
  const [first, second] = state.candidates
  if (first === undefined || second === undefined) throw new Error('no queue')
  await deleteKey(client, Buffer.from(first.key))
  const next = await watching.until('big/queue/', ({ term }) => term?.leader.keyBase64 === second.keyBase64, 20_000)
  expect(next.candidates).toHaveLength(CANDIDATES)
}, 240_000)

test(`${HANDOVERS} handovers in a burst: every term in history, in order`, async () => {
  const lease = await grantLease(client, 600)
  const key = (n: number) => Buffer.from(`burst/job/${n === 0 ? leaseHex(lease) : `w${n}`}`)
  const put = (n: number) => ({ request_put: { key: key(n), value: Buffer.from(`w${n}`), lease } })
  await client.kv.txn({ compare: [], success: [put(0)], failure: [] })
  watching = startWatching({ endpoints: etcd.endpoints, watch: ['burst/'] })
  await watching.until('burst/job/', ({ term }) => term !== null)
  await watching.live()
  for (let n = 1; n <= HANDOVERS; n += 1) {
    await client.kv.txn({ compare: [], success: [put(n), { request_delete_range: { key: key(n - 1) } }], failure: [] })
  }
  await watching.until('burst/job/', ({ term }) => term?.leader.identity === `w${HANDOVERS}`, 30_000)
  const state = watching.state('burst/job/')
  const ordinals: number[] = []
  let cursor: string | undefined
  do {
    const page = await watching.history.terms({
      cluster: 'test',
      ref: state?.ref as ElectionRef,
      limit: 1_000,
      ...(cursor ? { cursor } : {}),
    })
    ordinals.push(...page.terms.map(({ ordinal }) => ordinal))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  expect(ordinals).toEqual(Array.from({ length: HANDOVERS + 1 }, (_, n) => HANDOVERS + 1 - n))
}, 120_000)
