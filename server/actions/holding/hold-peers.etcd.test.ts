/** An enforced stop against programs that know nothing of it: who wins while it stands, and who after it. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ElectedWorker, spawnElectedWorker } from '../../../e2e/harness/elected-worker.ts'
import { always, Scene } from '../../../e2e/harness/election-scene.ts'
import { buildGoPeer } from '../../../e2e/harness/go-peer.ts'
import { eventually } from '../../../e2e/harness/library-candidate.ts'
import { heldHeadOf } from '../../../lib/election/queue.ts'
import { isHeld } from '../../../lib/election/switches.ts'
import type { LeaseId } from '../../../lib/election/types.ts'
import { Acting } from '../switches/act-for-test.ts'

const go = await buildGoPeer()
const why = 'missing' in go ? ` (not run: ${go.missing})` : ''
const command = 'command' in go ? go.command : undefined
const TTL_S = 3

let scene: Scene
let acting: Acting
const workers: ElectedWorker[] = []
beforeAll(async () => {
  scene = await Scene.open()
  acting = await Acting.start({ endpoints: scene.etcd.endpoints, watch: ['jobs/'] })
})
afterAll(async () => {
  await acting.stop()
  await scene.stop()
})
afterEach(async () => {
  await Promise.all(workers.splice(0).map((each) => each.kill()))
  await scene.clear()
})

async function enter(election: string, name: string, resignsOnLoss = false): Promise<ElectedWorker> {
  const { endpoints } = scene.etcd
  const plan = { name, endpoints, election, ttlSeconds: TTL_S, socket: '', resignsOnLoss }
  const worker = spawnElectedWorker(plan, command ? { command } : {})
  workers.push(worker)
  await worker.first('ready')
  const before = (await scene.queue(election)).length
  worker.order({ do: 'enter' })
  await eventually(`${name} is in the queue`, async () => (await scene.queue(election)).length === before + 1)
  return worker
}

const stateOf = (election: string) =>
  [...acting.view.elections.values()].find(({ prefix }) => prefix === `${election}/`)
const wins = (some: readonly ElectedWorker[]) => some.reduce((sum, each) => sum + each.all('leading').length, 0)
const enforced = { mode: 'enforced' as const }

async function three(resignsOnLoss: boolean) {
  const election = scene.newElection()
  const all: ElectedWorker[] = []
  for (const name of ['go-1', 'go-2', 'go-3']) all.push(await enter(election, name, resignsOnLoss))
  const [first, ...waiting] = all as [ElectedWorker, ...ElectedWorker[]]
  await first.first('leading')
  await eventually('the dashboard knows them', () => stateOf(election)?.candidates.length === 3)
  return { election, first, waiting, all }
}

describe('Go programs that ignore their session while they campaign', () => {
  it.skipIf(why !== '')(`never win while it stands, and exactly one does after it${why}`, async () => {
    const { election, first, waiting, all } = await three(false)
    await acting.engage(`${election}/`, enforced)
    await first.first('ended', { withinMs: (TTL_S * 1_000) / 3 + 2_000 })
    const late = await enter(election, 'go-4')
    await always('nobody wins', () => wins([...waiting, late]) === 0 && wins([first]) === 1, 2 * TTL_S * 1_000)
    expect((await scene.queue(election)).map(isHeld)).toEqual([true, false, false, false, false])
    await acting.release(`${election}/`)
    const [next] = waiting as [ElectedWorker]
    await next.first('leading', { withinMs: 3_000 })
    await always('it alone leads', () => wins([...all, late]) === 2, 2_000)
    const [head] = await scene.queue(election)
    const { lease } = await scene.admin.timeToLive(head?.lease as LeaseId, { deadlineMs: 2_000 })
    expect([head?.createRevision, lease === null]).toEqual([next.leadsWith()?.revision, false])
  })
})

describe('Go programs that resign when their session ends', () => {
  it.skipIf(why !== '')(
    `lead one at a time at most, each is held and recorded, and one leads after it${why}`,
    async () => {
      const { election, all } = await three(true)
      const engaged = await acting.engage(`${election}/`, enforced)
      await eventually('three more have won', () => wins(all) >= 4, 30_000)
      await eventually('it is held', () => heldHeadOf(stateOf(election)?.candidates ?? []) !== null)
      const terms = stateOf(election)?.ended ?? []
      expect(terms.map(({ endedBy }) => endedBy?.cause)).toEqual(terms.map(() => 'kill switch'))
      expect(stateOf(election)?.failovers).toEqual([])
      const notes = acting.audit({ kind: 'note', operation: engaged.id }).map(({ words }) => words)
      for (const { token } of terms.slice(1)) expect(notes.join('\n')).toContain(`token ${token} led`)
      // Each had begun to resign before the next one led.
      const led = all.flatMap((each) => {
        const resigning = each.all('resigning')
        return each
          .all('leading')
          .map(({ fromMs }, nth) => ({ fromMs, toMs: resigning[nth]?.atMs ?? Number.POSITIVE_INFINITY }))
      })
      led.sort((a, b) => a.fromMs - b.fromMs)
      for (const [at, { fromMs }] of led.entries()) expect(fromMs).toBeGreaterThan(led[at - 1]?.toMs ?? 0)

      await acting.release(`${election}/`)
      await eventually('one leads', () => stateOf(election)?.term != null)
      const token = stateOf(election)?.term?.token
      await always('the same goes on', () => stateOf(election)?.term?.token === token, 2 * TTL_S * 1_000)
      expect(all.filter((each) => each.leadsWith()?.revision === token)).toHaveLength(1)
    },
  )
})
