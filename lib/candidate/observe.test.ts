import { expect, it } from 'vitest'
import { Keys } from './keys.ts'
import { type ObserveContext, type Observed, observe } from './observe.ts'
import type { Settings } from './options.ts'
import { type Entered, sceneForEachTest } from './scene-for-test.ts'
import { Transactions } from './transactions.ts'
import { Witness } from './witness.ts'

const scene = sceneForEachTest()
const shown = (now: Observed) =>
  now.type === 'led' ? new TextDecoder().decode(now.value) : now.type === 'unknown' ? 'unknown' : 'vacant'

function contextOf(settings: Settings): ObserveContext {
  const witness = new Witness(settings.minEpoch)
  return { settings, witness, transactions: new Transactions(settings, new Keys(settings), witness) }
}

function listen(options: { layout?: 'queue' | 'single-key' } = {}) {
  const stopping = new AbortController()
  const seen: string[] = []
  const reading = scene().time.as('watcher', async () => {
    for await (const now of observe(contextOf(scene().settings('watcher', options)), stopping.signal))
      seen.push(shown(now))
  })
  return { seen, reading, stop: () => scene().time.as('watcher', () => stopping.abort()) }
}

it.each(['queue', 'single-key'] as const)('tells of each leader of a %s once, and of none', async (layout) => {
  const { seen, stop, reading } = listen({ layout })
  await scene().run(100)
  const a: Entered = scene().enter('a', { layout })
  await scene().run(5_000)
  expect(seen).toEqual(['vacant', 'a'])
  a.stop()
  await scene().run(100)
  expect(seen).toEqual(['vacant', 'a', 'vacant'])
  stop()
  await scene().run(10)
  await reading
  expect([scene().time.waiting('watcher'), scene().etcd.client('watcher').listening]).toEqual([0, 0])
})

it('ends at once when its iterator is closed, though nothing changes for days', async () => {
  const { candidate } = scene().enter('watcher')
  await scene().run(100)
  const iterator = candidate.observe()[Symbol.asyncIterator]()
  const heard: unknown[] = []
  scene().time.as('reader', async () => {
    heard.push((await iterator.next()).done)
    void iterator.next().then(({ done }) => heard.push(done))
  })
  await scene().run(100)
  void iterator.return?.().then(({ done }) => heard.push(done))
  await scene().run(10)
  expect(heard).toEqual([false, true, true])
})

it('tells of the one at the head, never of one that only wrote last', async () => {
  scene().put('job/1', 'first')
  scene().put('job/2', 'second')
  const { seen, stop } = listen()
  await scene().run(100)
  scene().put('job/2', 'second, again')
  scene().put('job/0', 'third')
  await scene().run(100)
  expect(seen).toEqual(['first'])
  scene().remove('job/1')
  await scene().run(100)
  expect(seen).toEqual(['first', 'second, again'])
  stop()
})

it('calls nobody a leader who cannot be one: a key below the queue, a head that a kill switch holds', async () => {
  scene().put('job/deeper/1', 'of another election')
  const { seen, stop } = listen()
  await scene().run(100)
  scene().remove('job/deeper/1')
  scene().put('job/1', '{"tenure":"halt","nonce":"n1"}')
  scene().put('job/2', 'next up')
  await scene().run(100)
  expect(seen).toEqual(['vacant'])
  scene().remove('job/1')
  await scene().run(100)
  expect(seen).toEqual(['vacant', 'next up'])
  stop()
})

it('says that it does not know as soon as a read fails, and what is once one is answered', async () => {
  scene().put('job/1', 'a')
  const { seen, stop } = listen()
  await scene().run(100)
  scene().fate = { requestMs: 1, answerMs: 1, refused: 'unavailable' }
  scene().put('job/1', 'a, again')
  await scene().run(5)
  expect(seen).toEqual(['a', 'unknown'])
  scene().remove('job/1')
  scene().fate = { requestMs: 1, answerMs: 1 }
  await scene().run(1_200)
  expect(seen).toEqual(['a', 'unknown', 'vacant'])
  stop()
})

it('asks no more often after a thousand changes than after one', async () => {
  const { stop } = listen()
  await scene().run(100)
  for (let change = 0; change < 300; change += 1) {
    scene().put('job/1', `value ${change}`)
    await scene().run(10)
  }
  let asked = 0
  const { call } = scene().etcd.network
  scene().etcd.network.call = (client) => {
    asked += 1
    return call(client)
  }
  await scene().run(20_000)
  expect(asked).toBeLessThanOrEqual(11)
  stop()
})

it('knows nothing after a restore, whoever that names, until the epoch was raised', async () => {
  scene().put('job/1', 'old')
  const restored = scene().etcd.store.at
  scene().remove('job/1')
  scene().put('job/2', 'new')
  const { seen, stop } = listen()
  await scene().run(100)
  expect(seen).toEqual(['new'])
  scene().etcd.restore(restored)
  await scene().run(5_000)
  expect(seen).toEqual(['new', 'unknown'])
  scene().put('/tenure/epoch', JSON.stringify({ v: 1, epoch: 1, id: 'e1', highRevision: '9' }))
  await scene().run(5_000)
  expect(seen).toEqual(['new', 'unknown', 'old'])
  stop()
})
