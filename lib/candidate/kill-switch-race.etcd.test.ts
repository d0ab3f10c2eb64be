import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { always, leads, pause, Scene } from '../../e2e/harness/election-scene.ts'
import { eventually } from '../../e2e/harness/library-candidate.ts'
import { MeddlingClient, type Question } from '../../e2e/harness/meddling-client.ts'

let scene: Scene
const clients: MeddlingClient[] = []

beforeAll(async () => {
  scene = await Scene.open()
})
afterAll(() => scene.stop())
afterEach(async () => {
  await scene.clear()
  for (const client of clients.splice(0)) client.close()
})

function meddler(): MeddlingClient {
  const client = new MeddlingClient({ endpoints: scene.etcd.endpoints })
  clients.push(client)
  return client
}

/** Does it once, right before (or after) the first question of this kind. */
function once(client: MeddlingClient, when: 'before' | 'after', asked: Question, act: () => Promise<unknown>) {
  let isDone = false
  client[when] = async (question) => {
    if (question !== asked || isDone) return
    isDone = true
    await act()
  }
}

describe.each(['queue', 'single-key'] as const)('%s: engaged while a candidate starts', (layout) => {
  const scopeOf = (election: string) => (layout === 'queue' ? `${election}/` : election)

  it.each(['enter', 'look'] as const)('right before it asks to %s: it does not lead', async (question) => {
    const election = scene.newElection()
    const client = meddler()
    let nonce = ''
    once(client, 'before', question, async () => {
      nonce = await scene.engage(scopeOf(election))
    })
    const a = scene.enter({ election, identity: 'a', client, layout })
    await eventually('a is stopped', () => a.candidate.state === 'stopped')
    await eventually('a says so', async () => (await scene.said(election, 'a'))?.switchNonces[0] === nonce)
    expect(a.terms).toEqual([])
    expect(await scene.keys(scopeOf(election))).toEqual([])
    await scene.release(scopeOf(election))
    await eventually('a leads', () => leads(a))
  })

  it('right after the win check: it is stopped within a second', async () => {
    const election = scene.newElection()
    const client = meddler()
    once(client, 'after', 'look', () => scene.engage(scopeOf(election)))
    const a = scene.enter({ election, identity: 'a', client, layout })
    await eventually('a is stopped', () => a.candidate.state === 'stopped', 1_500)
    expect(a.terms.map(({ endedBy }) => endedBy)).toEqual(['kill switch'])
  })
})

it('engaged at 60 random moments of a start: whoever started did so before, and is stopped within a second', async () => {
  let startedFirst = 0
  for (let run = 0; run < 60; run += 1) {
    const election = scene.newElection()
    const client = meddler()
    const a = scene.enter({ election, identity: 'a', client })
    await pause(Math.random() * 25)
    await scene.engage(`${election}/`, { match: 'exact' })
    const engagedMs = performance.now()
    await eventually('a is stopped', () => a.candidate.state === 'stopped', 2_000)
    expect(performance.now() - engagedMs).toBeLessThan(1_000)
    startedFirst += a.terms.length
    await a.stop()
  }
  console.error(`engaged at random: ${startedFirst} of 60 had begun before and were stopped`)
}, 60_000)

describe("onMissingSwitch: 'halt'", () => {
  const halting = (election: string, client?: MeddlingClient) =>
    scene.enter({ election, identity: 'a', onMissingSwitch: 'halt', ...(client ? { client } : {}) })

  it('does not lead without a record, says so, and leads once one was released', async () => {
    const election = scene.newElection()
    const a = halting(election)
    await eventually('a holds still', () => a.candidate.state === 'stopped')
    await eventually('a says so', async () => {
      const said = await scene.said(election, 'a')
      return said?.state === 'stopped' && said.onMissingSwitch === 'halt' && said.switchNonces.length === 0
    })
    await scene.release('elsewhere/')
    await always('a record for others is none', () => !leads(a), 300)
    await scene.release(`${election}/`, { match: 'exact' })
    await eventually('a leads', () => leads(a))
  })

  it('stops when the record is deleted while it leads', async () => {
    const election = scene.newElection()
    await scene.release('jobs/')
    const a = halting(election)
    await eventually('a leads', () => leads(a))
    await scene.delete('/tenure/switch/jobs/')
    await eventually('a is stopped', () => a.candidate.state === 'stopped', 1_500)
    expect(a.terms[0]?.leadership.signal.reason).toMatchObject({ why: 'kill switch' })
    expect(String(a.terms[0]?.leadership.signal.reason)).toContain('no switch record exists for this election')
  })

  it('does not win when the record is deleted between the read and the win check', async () => {
    const election = scene.newElection()
    await scene.release('jobs/')
    const client = meddler()
    once(client, 'before', 'look', () => scene.delete('/tenure/switch/jobs/'))
    const a = halting(election, client)
    await eventually('a holds still', () => a.candidate.state === 'stopped')
    expect(a.terms).toEqual([])
    await scene.release('jobs/')
    await eventually('a leads', () => leads(a))
  })

  it('goes on while one of two records is left', async () => {
    const election = scene.newElection()
    await scene.release('jobs/')
    await scene.release(`${election}/`, { match: 'exact' })
    const a = halting(election)
    await eventually('a leads', () => leads(a))
    await scene.delete('/tenure/switch/jobs/')
    await always('a leads', () => leads(a), 1_500)
    await scene.release('jobs/')
    await scene.delete(`/tenure/switch/${election}/`)
    await always('a leads on the other', () => leads(a), 1_500)
  })
})
