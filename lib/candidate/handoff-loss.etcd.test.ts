import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { always, leads, pause, Scene, slow } from '../../e2e/harness/election-scene.ts'
import { eventually, type TestCandidate } from '../../e2e/harness/library-candidate.ts'
import { startProxy } from '../../e2e/harness/proxy.ts'

let scene: Scene

beforeAll(async () => {
  scene = await Scene.open()
})
afterAll(() => scene.stop())
afterEach(() => scene.clear())

describe('the leader, while it drains,', () => {
  it('loses its lease: whoever is next leads, and the request does not hit that one', async () => {
    const election = scene.newElection()
    const [a, b] = (await scene.line(election, 'abc', { work: slow(700) })) as [TestCandidate, TestCandidate]
    await scene.ask(election)
    await eventually('a drains', () => a.candidate.state === 'draining')
    const [head] = await scene.queue(election)
    if (head?.lease) await scene.revoke(head.lease)
    await eventually('b leads', () => leads(b))
    await always('b stays', () => leads(b), 1_500)
    expect(a.terms).toHaveLength(1)
  })

  it('is cut off: it is over by its deadline, and whoever is next leads after its lease', async () => {
    const election = scene.newElection()
    const proxy = await startProxy({ target: scene.etcd.endpoints[0] ?? '' })
    const entrant = { work: slow(6_000), endpoints: [proxy.endpoint], ttlSeconds: 3 }
    const [a] = (await scene.line(election, 'a', entrant)) as [TestCandidate]
    const b = await scene.waiter({ election, identity: 'b' })
    await scene.ask(election)
    await eventually('a drains', () => a.candidate.state === 'draining')
    await proxy.setMode('refuse')
    let wasBoth = false
    const proves = () => {
      try {
        a.terms[0]?.leadership.proveStillLeading()
        return true
      } catch {
        return false
      }
    }
    await eventually('b leads', () => {
      wasBoth ||= leads(b) && proves()
      return leads(b)
    })
    expect([wasBoth, proves()]).toEqual([false, false])
    await proxy.setMode('pass')
    await always('b stays', () => leads(b), 500)
    await scene.clear()
    await proxy.stop()
  }, 40_000)

  it('has a work that does not end: its term is over before its lease, and nothing begins before that has ended', async () => {
    const election = scene.newElection()
    let end = () => {}
    const hanging = new Promise<void>((resolve) => {
      end = resolve
    })
    const a = await scene.leader({ election, identity: 'a', ttlSeconds: 3, drainMs: 500, work: () => hanging })
    const b = await scene.waiter({ election, identity: 'b' })
    await scene.ask(election)
    await eventually('a is suspect', () => a.candidate.state === 'suspect', 1_500)
    expect(() => a.terms[0]?.leadership.proveStillLeading()).toThrow('did not end in the time it had to drain')
    expect([await scene.order(election), a.candidate.health()]).toEqual(['ab', false])
    await eventually('b leads', () => leads(b), 6_000)
    await pause(500)
    expect(a.terms).toHaveLength(1)
    end()
    await eventually('a is behind', async () => (await scene.order(election)) === 'ba')
  })
})
