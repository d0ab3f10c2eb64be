import { describe, expect, it, vi } from 'vitest'
import { EtcdError } from '../election/ports.ts'
import { createCandidate } from './index.ts'
import { pause, sceneForEachTest, untilTold } from './scene-for-test.ts'

const scene = sceneForEachTest()

describe('lead', () => {
  it.each([0, 1, 2, 3, 4, 5, 6, 8, 10, 12])('told to end after %i ms ends, with nothing left behind', async (ms) => {
    const a = scene().enter('a')
    await scene().run(ms)
    a.stop()
    await scene().run(3_000)
    expect([a.ended, a.candidate.state, scene().keys('job/')]).toEqual([null, 'lost', []])
    expect([scene().time.waiting('a'), scene().etcd.client('a').listening]).toEqual([0, 0])
    expect(
      scene()
        .etcd.store.all()
        .filter(({ lease }) => lease !== null),
    ).toEqual([])
  })

  it('told to end before it begins sends nothing', async () => {
    const a = scene().enter('a')
    a.stop()
    await scene().run(10)
    expect([a.ended, a.calls, a.troubles]).toEqual([null, [], []])
  })

  it('ends while etcd is away, within a few calls, and its lease ends by itself', async () => {
    const a = scene().enter('a')
    await scene().run(100)
    scene().etcd.partition('a')
    a.stop()
    await scene().run(3_500)
    expect([a.ended, scene().time.waiting('a')]).toEqual([null, 0])
    await scene().run(1_000)
    expect(scene().keys('job/')).toEqual([])
  })

  it('is refused while another call runs, and works again after that', async () => {
    const a = scene().enter('a')
    await scene().run(100)
    await expect(a.candidate.lead(() => {})).rejects.toThrow('lead() runs already')
    a.stop()
    await scene().run(500)
    const again = a.candidate.lead(() => Promise.reject(new Error('disk full')))
    const outcome = again.catch((error: Error) => error.message)
    await scene().run(500)
    expect(await outcome).toBe('disk full')
  })

  it('is refused while the work of an earlier call hangs, and says by its health that it does', async () => {
    let end = () => {}
    const hanging = new Promise<void>((resolve) => {
      end = resolve
    })
    const a = scene().enter('a', { drainMs: 500, work: () => hanging })
    await scene().run(100)
    a.stop()
    await scene().run(1_500)
    expect([String(a.ended), a.candidate.health()]).toEqual([expect.stringContaining('did not end within 500'), false])
    await expect(a.candidate.lead(() => {})).rejects.toThrow('has not ended yet')
    end()
    await scene().run(10)
    expect(a.candidate.health()).toBe(true)
    const stopping = new AbortController()
    stopping.abort()
    await expect(a.candidate.lead(() => {}, { signal: stopping.signal })).resolves.toBeUndefined()
  })

  it('rejects when the granted TTL does not suit the options', async () => {
    const a = scene().enter('a', { ttlSeconds: 1, renewEveryMs: 300, deadlineMs: 600, marginMs: 150 })
    await scene().run(100)
    expect(String(a.ended)).toContain('marginMs is 150: give at least a tenth of the TTL, 200')
  })
})

describe('misuse of lead', () => {
  it('a work that returns at once leads once a second, not as often as etcd answers', async () => {
    const a = scene().enter('a', { work: () => {} })
    await scene().run(5_000)
    expect(a.calls.length).toBeGreaterThanOrEqual(4)
    expect(a.calls.length).toBeLessThanOrEqual(6)
    a.stop()
    await scene().run(200)
    expect(a.ended).toBeNull()
  })

  it('the rest after a short work keeps the seat from nobody else', async () => {
    scene().enter('a', { work: () => {} })
    await scene().run(2)
    const b = scene().enter('b')
    await scene().run(100)
    expect(b.calls.length).toBe(1)
  })

  it.each([
    ['no work', undefined, {}, 'lead() needs the work'],
    ['a bare signal', () => {}, new AbortController().signal, 'give it as { signal }'],
    ['a controller for a signal', () => {}, { signal: new AbortController() }, 'is no AbortSignal'],
  ])('%s is refused before anything is sent', async (_, work, options, words) => {
    const call = vi.spyOn(scene().etcd.network, 'call')
    const candidate = createCandidate({ etcd: scene().etcd.client('x'), election: 'job', identity: 'x' })
    await expect(candidate.lead(work as never, options as never)).rejects.toThrow(words)
    expect(call).not.toHaveBeenCalled()
  })

  it('the etcd client closed under it: whoever leads ends at the deadline, and lead rejects for all', async () => {
    const closed = { now: false }
    const close = () => {
      if (closed.now) throw new EtcdError('aborted', 'the call was given up', 'fake')
    }
    const [a, b] = [scene().enter('a', { onAnswer: close }), scene().enter('b', { onAnswer: close })]
    await scene().run(100)
    closed.now = true
    scene().etcd.partition('a')
    scene().engage('other/')
    await scene().run(8_000)
    expect(String(b.ended)).toContain('the etcd client was closed while lead() ran')
    expect(a.candidate.state).not.toBe('leading')
  })
})

describe('resign', () => {
  it('awaited inside of the work does not wait for itself', async () => {
    let asked = 0
    const a = scene().enter('a', {
      work: async ({ signal }) => {
        asked += 1
        if (asked === 1) await a.candidate.resign('unwell')
        if (asked > 1 && !signal.aborted) await pause(60_000)
      },
    })
    await scene().run(2_000)
    expect([asked, a.candidate.state, a.candidate.health()]).toEqual([2, 'leading', true])
  })

  it('without a reason is heard all the same', async () => {
    const a = scene().enter('a')
    await scene().run(100)
    const resigned = vi.fn()
    void (a.candidate.resign as () => Promise<void>)().then(resigned)
    await scene().run(100)
    expect(resigned).toHaveBeenCalled()
    expect(a.calls.length).toBe(2)
  })

  it('resolves at once for one who waits', async () => {
    const [, b] = [scene().enter('a'), scene().enter('b')]
    await scene().run(100)
    await b.candidate.resign('not my turn')
    expect([b.candidate.state, scene().keys('job/').length]).toEqual(['waiting', 2])
  })

  it('resolves when the seat is given up, also when the lead ends meanwhile, however often it is called', async () => {
    const a = scene().enter('a', { work: (leadership) => untilTold(leadership).then(() => pause(300)) })
    await scene().run(100)
    const settled: string[] = []
    void a.candidate.resign('first').then(() => settled.push('first'))
    void a.candidate.resign('second').then(() => settled.push('second'))
    await scene().run(200)
    expect(settled).toEqual([])
    a.stop()
    await scene().run(500)
    expect(settled).toEqual(['first', 'second'])
  })

  it('of one who is suspect resolves when its work has ended', async () => {
    const a = scene().enter('a', { work: (leadership) => untilTold(leadership).then(() => pause(1_500)) })
    await scene().run(100)
    scene().etcd.partition('a')
    await scene().run(2_500)
    expect(a.candidate.state).toBe('suspect')
    let isSettled = false
    void a.candidate.resign('a test').then(() => {
      isSettled = true
    })
    await scene().run(500)
    expect(isSettled).toBe(false)
    await scene().run(1_500)
    expect(isSettled).toBe(true)
  })
})

it('lets a listener that throws end nothing, and hears it once', async () => {
  const a = scene().enter('a')
  const off = a.candidate.onState(() => {
    throw new Error('no room on the panel')
  })
  await scene().run(100)
  scene().etcd.partition('a')
  await scene().run(2_100)
  expect(a.candidate.state).not.toBe('leading')
  expect(a.troubles.filter((text) => text === 'no room on the panel').length).toBe(a.states.length)
  off()
})

it('sleeps through a switch and a rollback at once, and leads again after both', async () => {
  const a = scene().enter('a')
  await scene().run(2_000)
  scene().engage()
  await scene().run(100)
  scene().etcd.restore(3)
  await scene().run(1_500)
  expect([a.calls.length, a.troubles.at(-1)]).toEqual([1, expect.stringContaining('restored from a backup')])
  scene().put('/tenure/epoch', JSON.stringify({ v: 1, epoch: 1, id: 'e1', highRevision: '9' }))
  await scene().run(6_000)
  expect(a.calls.map(({ token }) => token.epoch)).toEqual([0, 1])
})

it('sends nothing when it is made, and refuses what cannot work', () => {
  const etcd = scene().etcd.client('x')
  const call = vi.spyOn(scene().etcd.network, 'call')
  createCandidate({ etcd, election: 'job', identity: 'x' })
  expect(() => createCandidate({ etcd, election: '', identity: 'x' })).toThrow('election is empty')
  expect(call).not.toHaveBeenCalled()
})
