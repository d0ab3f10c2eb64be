import { describe, expect, it } from 'vitest'
import type { NotLeadingError } from './errors.ts'
import { isProof, isWinCheck, pause, sceneForEachTest, untilTold } from './scene-for-test.ts'
import type { Leadership } from './term.ts'

const scene = sceneForEachTest()
const whyOf = (leadership: Leadership | undefined) => (leadership?.signal.reason as NotLeadingError | undefined)?.why

/** The lease on which the head of the queue stands. */
function headLease() {
  const [key = ''] = scene().keys('job/')
  return scene().etcd.store.get(key)?.lease
}

function handOff(target: object | null = null): void {
  const [key = ''] = scene().keys('job/')
  const revision = scene().etcd.store.get(key)?.createRevision
  const request = { v: 1, id: 'h1', token: { epoch: 0, revision }, target, reason: 'a test', by: 'anna' }
  scene().put('/tenure/handoff/job/', JSON.stringify(request))
}

describe('a seat that is gone', () => {
  it('ends the term as soon as a renewal says so, though a proof is still on its way', async () => {
    const a = scene().enter('a', { onAnswer: (txn) => (isProof(txn) ? pause(900) : undefined) })
    await scene().run(1_050)
    expect(a.calls[0]?.signal.aborted).toBe(false)
    const lease = headLease()
    if (lease) scene().etcd.store.revoke(lease, 'somebody')
    // The renewal of 2,000 ms comes back while the proof of the first is held up.
    await scene().run(970)
    expect(whyOf(a.calls[0])).toBe('lease gone')
  })

  it('ends the term when a proclaim is answered that it is, and rejects with that', async () => {
    const a = scene().enter('a')
    await scene().run(100)
    scene().etcd.network.notice = () => ({ delayMs: 10_000 })
    scene().remove(scene().keys('job/')[0] ?? '')
    const outcome = a.calls[0]?.proclaim('here').catch((error: Error) => error.message)
    await scene().run(10)
    expect(await outcome).toContain('the own key was deleted')
    expect(whyOf(a.calls[0])).toBe('key gone')
  })

  it('ends the term when a proclaim is answered by a store that was rolled back', async () => {
    const a = scene().enter('a')
    await scene().run(100)
    scene().etcd.store.restore(scene().etcd.store.at - 2)
    const outcome = a.calls[0]?.proclaim('here').catch((error: Error) => error.message)
    await scene().run(10)
    expect(await outcome).toMatch(/it was restored from a backup/)
    expect(whyOf(a.calls[0])).toBe('store rolled back')
  })

  it('ends the term when the look at a target of a handoff says so', async () => {
    let asked = 0
    const a = scene().enter('a', {
      onAnswer: ({ success }) => {
        if (success.length === 1 && success[0]?.type === 'range' && success[0].request.limit === 2) asked += 1
      },
    })
    await scene().run(100)
    handOff({ createRevision: '9', lease: '0000000000000001' })
    await scene().run(50)
    expect(asked).toBeGreaterThan(0)
    scene().etcd.network.notice = () => ({ delayMs: 10_000 })
    scene().remove(scene().keys('job/')[0] ?? '')
    await scene().run(120)
    expect(whyOf(a.calls[0])).toBe('key gone')
  })

  it('is told as lost while the work still takes its time', async () => {
    const a = scene().enter('a', { work: (leadership) => untilTold(leadership).then(() => pause(500)) })
    await scene().run(100)
    scene().remove(scene().keys('job/')[0] ?? '')
    await scene().run(50)
    expect([a.candidate.state, a.candidate.health()]).toEqual(['lost', false])
    await scene().run(600)
    expect([a.candidate.state, a.calls.length, a.candidate.health()]).toEqual(['leading', 2, true])
  })
})

describe('a leader that drains', () => {
  it('is still proven, and can still prove it, until its work has ended', async () => {
    const proofs: boolean[] = []
    const a = scene().enter('a', {
      drainMs: 10_000,
      work: async (leadership) => {
        await untilTold(leadership)
        for (let at = 0; at < 5; at += 1) {
          await pause(1_000)
          leadership.proveStillLeading()
          proofs.push(leadership.signal.aborted)
        }
      },
    })
    await scene().run(100)
    void a.candidate.resign('a test')
    await scene().run(5_100)
    expect([proofs, a.states.slice(0, 3)]).toEqual([Array(5).fill(true), ['leading', 'draining', 'lost']])
  })

  it('loses the seat only by its lease when its work does not end in the time it has', async () => {
    const a = scene().enter('a', { drainMs: 500, work: (leadership) => untilTold(leadership).then(() => pause(1_500)) })
    await scene().run(100)
    void a.candidate.resign('a test')
    await scene().run(1_000)
    expect([scene().keys('job/').length, a.candidate.health()]).toEqual([1, false])
    await scene().run(1_000)
    expect([a.calls.length, a.candidate.state]).toEqual([2, 'leading'])
  })

  it('tells what its work throws then, once, and goes on', async () => {
    const a = scene().enter('a', {
      work: async (leadership) => {
        await untilTold(leadership)
        if (scene().time.monoMs() < 2_000) throw new Error('disk full')
        throw leadership.signal.reason
      },
    })
    await scene().run(100)
    void a.candidate.resign('a test')
    await scene().run(1_500)
    void a.candidate.resign('another test')
    await scene().run(1_000)
    expect([a.troubles, a.ended, a.calls.length]).toEqual([['disk full'], undefined, 3])
  })

  it('starts no work when it was told to end while a handoff was withdrawn', async () => {
    const a = scene().enter('a', { work: (leadership) => untilTold(leadership).then(() => pause(300)) })
    await scene().run(100)
    handOff()
    await scene().run(50)
    expect(a.candidate.state).toBe('draining')
    scene().remove('/tenure/handoff/job/')
    a.stop()
    await scene().run(1_000)
    expect([a.calls.length, a.ended, scene().keys('job/')]).toEqual([1, null, []])
  })

  it('does not say that it resigned when the handoff was withdrawn', async () => {
    const a = scene().enter('a', { work: (leadership) => untilTold(leadership).then(() => pause(300)) })
    await scene().run(100)
    handOff()
    await scene().run(50)
    scene().remove('/tenure/handoff/job/')
    await scene().run(500)
    expect([a.calls.length, a.candidate.state]).toEqual([2, 'leading'])
    expect(scene().presence()[0]?.lastResign).toBeNull()
    expect(a.calls[1]?.token).toEqual(a.calls[0]?.token)
  })
})

it('counts a renewal only with a proof that was sent after it', async () => {
  let proofs = 0
  const hold = () => {
    proofs += 1
    return pause(proofs === 1 ? 700 : 60_000)
  }
  const a = scene().enter('a', { renewEveryMs: 500, onAnswer: (txn) => (isProof(txn) ? hold() : undefined) })
  // Renewed every 500 ms; the proof of the first comes in after the second, and no other ever does.
  await scene().run(2_490)
  expect([proofs, a.calls[0]?.signal.aborted]).toEqual([2, false])
  await scene().run(20)
  expect(whyOf(a.calls[0])).toBe('not renewed')
})

it('ends the term when another epoch begins, and leads in it with a token of its own', async () => {
  const a = scene().enter('a')
  await scene().run(100)
  scene().put('/tenure/epoch', JSON.stringify({ v: 1, epoch: 3, id: 'e3', highRevision: '9' }))
  await scene().run(500)
  expect([whyOf(a.calls[0]), a.calls.map(({ token }) => token.epoch)]).toEqual(['epoch raised', [0, 3]])
})

it('leads in the epoch that began while it waited', async () => {
  const [a, b] = [scene().enter('a'), scene().enter('b')]
  await scene().run(100)
  scene().put('/tenure/epoch', JSON.stringify({ v: 1, epoch: 2, id: 'e2', highRevision: '9' }))
  await scene().run(500)
  const led = [...a.calls, ...b.calls].map(({ token }) => token.epoch)
  expect([led.filter((epoch) => epoch === 0).length, led.includes(2), b.troubles]).toEqual([1, true, []])
})

it('stops for a switch between the win check and its first proof', async () => {
  const a = scene().enter('a', { onAnswer: (txn) => (isWinCheck(txn) ? scene().engage() : undefined) })
  await scene().run(100)
  expect([a.calls.length, whyOf(a.calls[0]), a.candidate.state]).toEqual([1, 'kill switch', 'stopped'])
})

it('leaves no work behind that still proves, when something fails that nobody foresaw', async () => {
  const client = scene().etcd.client.bind(scene().etcd)
  let isBroken = false
  scene().etcd.client = (name) => {
    const own = client(name)
    const notice: typeof own.notice = (...asked) => {
      if (isBroken) throw new Error('nobody foresaw this')
      return own.notice(...asked)
    }
    return Object.assign(Object.create(own), { notice })
  }
  let running = 0
  const work = async (leadership: Leadership) => {
    running += 1
    await untilTold(leadership)
    await pause(700)
    running -= 1
  }
  const a = scene().enter('a', { work })
  await scene().run(100)
  isBroken = true
  // Its watches are lost with the notices, and are asked for again.
  client('a').loseNotices()
  await scene().run(400)
  expect([whyOf(a.calls[0]), running, a.calls.length]).toEqual(['failed', 1, 1])
  expect(() => a.calls[0]?.proveStillLeading()).toThrow('nobody foresaw')
  expect(a.candidate.health()).toBe(false)
  isBroken = false
  await scene().run(2_000)
  expect([a.calls.length, running, a.candidate.state]).toEqual([2, 1, 'leading'])
})
