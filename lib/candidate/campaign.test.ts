import { expect, it } from 'vitest'
import { isWinCheck, pause, sceneForEachTest } from './scene-for-test.ts'

const scene = sceneForEachTest()

it('starts no work when it was told to end while the win check was on its way', async () => {
  const a = scene().enter('a', { onAnswer: (txn) => (isWinCheck(txn) ? pause(200) : undefined) })
  await scene().run(100)
  a.stop()
  await scene().run(2_000)
  expect([a.calls.length, a.ended, scene().keys()]).toEqual([0, null, []])
})

it('starts no work when its lease was found gone while the win check was on its way', async () => {
  let slow = true
  const a = scene().enter('a', {
    renewEveryMs: 100,
    onAnswer: (txn) => {
      if (!slow || !isWinCheck(txn)) return
      slow = false
      const lease = scene().etcd.store.get(scene().keys('job/')[0] ?? '')?.lease
      if (lease) scene().etcd.store.revoke(lease, 'somebody')
      return pause(300)
    },
  })
  await scene().run(300)
  expect(a.calls.length).toBe(0)
  await scene().run(1_000)
  expect([a.calls.length, a.candidate.state]).toEqual([1, 'leading'])
})

it('does not win on a renewal that is too old to lead on, but with the next one, in the same place', async () => {
  let slow = true
  const a = scene().enter('a', {
    onAnswer: (txn) => {
      if (!slow || !isWinCheck(txn)) return
      slow = false
      scene().time.freeze('a')
      scene().time.after(2_200, '', () => scene().time.thaw('a'))
      return pause(1)
    },
  })
  await scene().run(2_150)
  const place = scene().etcd.store.get(scene().keys('job/')[0] ?? '')?.createRevision
  await scene().run(500)
  expect(a.calls.map(({ token }) => token.revision)).toEqual([place])
  expect(a.calls[0]?.signal.aborted).toBe(false)
})

it('wins only once nobody is ahead, and watches the nearest one only', async () => {
  const [a, b, c] = [scene().enter('a'), scene().enter('b'), scene().enter('c')]
  await scene().run(100)
  expect([a, b, c].map(({ candidate }) => candidate.state)).toEqual(['leading', 'waiting', 'waiting'])
  const asked: string[] = []
  const { call } = scene().etcd.network
  scene().etcd.network.call = (client) => {
    asked.push(client)
    return call(client)
  }
  a.stop()
  await scene().run(100)
  expect(b.candidate.state).toBe('leading')
  expect(asked).not.toContain('c')
})

it('does not lead with a place that it may have left: a release that arrives late would free the seat under it', async () => {
  const [a, b, c] = [scene().enter('a'), scene().enter('b'), scene().enter('c')]
  await scene().run(500)
  const [head = '', , target = ''] = scene().keys('job/')
  const { createRevision, lease } = scene().etcd.store.get(target) ?? {}
  const token = { epoch: 0, revision: scene().etcd.store.get(head)?.createRevision }
  const { call } = scene().etcd.network
  let asked = 0
  scene().etcd.network.call = (client) => {
    if (client !== 'b') return call(client)
    asked += 1
    // It looks, sees that it has to yield, and sends the release.
    return asked === 2 ? { requestMs: 1_500, answerMs: 1 } : call(client)
  }
  const request = { v: 1, id: 'h1', token, target: { createRevision, lease }, reason: 'a test', by: 'anna' }
  scene().put('/tenure/handoff/job/', JSON.stringify(request))
  await scene().run(300)
  expect(asked).toBe(2)
  scene().remove(head)
  await scene().run(2_000)
  expect([b.calls.length, b.candidate.state, c.candidate.state]).toEqual([0, 'waiting', 'leading'])
  expect([a.candidate.state, scene().keys('job/').length]).toEqual(['waiting', 3])
})

it('tells at once of a switch, also as one of many who wait for a single key', async () => {
  const names = ['a', 'b', 'c', 'd']
  const all = names.map((name) => scene().enter(name, { layout: 'single-key' }))
  await scene().run(3_000)
  scene().engage('job')
  await scene().run(50)
  expect(all.filter(({ candidate }) => candidate.state === 'stopped')).toHaveLength(4)
  expect(
    scene()
      .presence()
      .map(({ state, switchNonces }) => [state, switchNonces]),
  ).toEqual(names.map(() => ['stopped', ['n1']]))
})

it('gives a single key to exactly one after its holder has gone', async () => {
  const all = ['a', 'b', 'c'].map((name) => scene().enter(name, { layout: 'single-key' }))
  await scene().run(1_000)
  const holder = all.find(({ candidate }) => candidate.state === 'leading')
  void holder?.candidate.resign('a test')
  await scene().run(500)
  const leaders = all.filter(({ candidate }) => candidate.state === 'leading')
  expect([leaders.length, leaders[0] === holder]).toEqual([1, false])
})

it('leaves a queue in which it cannot enter, and says why', async () => {
  scene().etcd.store.isOutOfSpace = true
  const a = scene().enter('a')
  await scene().run(2_000)
  expect([a.calls.length, a.troubles[0]]).toEqual([0, 'etcdserver: mvcc: database space exceeded'])
  scene().etcd.store.isOutOfSpace = false
  await scene().run(1_500)
  expect(a.candidate.state).toBe('leading')
})
