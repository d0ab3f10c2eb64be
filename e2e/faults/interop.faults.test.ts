/** The same queue with real `etcdctl elect`, and with a Go program: order, hand-over and resign agree. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { spawnElect } from '../harness/candidate.ts'
import { type ElectedWorker, spawnElectedWorker } from '../harness/elected-worker.ts'
import { buildGoPeer } from '../harness/go-peer.ts'
import { eventually } from '../harness/library-candidate.ts'
import { machineMs } from '../harness/machine-clock.ts'
import type { OwnedProcess } from '../harness/owned-process.ts'
import { note, shownMs, tellFigures } from './figures.ts'
import { type FaultRun, withRun } from './run.ts'
import { EXPIRY_LAG_MS, type FaultStage, LONG, openStage } from './stage.ts'

let stage: FaultStage
const foreign: OwnedProcess[] = []
beforeAll(async () => {
  stage = await openStage()
})
afterAll(async () => {
  tellFigures('in one queue with etcdctl elect')
  await Promise.all(foreign.map((each) => each.kill()))
  await stage.stop()
})

/** Its session is Go's default. */
const ETCDCTL_TTL_MS = 60_000

interface Elect extends OwnedProcess {
  /** Its key and value: what it prints once it is elected. */
  said: string[]
  interrupt(): void
}

async function elect(run: FaultRun, value: string): Promise<Elect> {
  const said: string[] = []
  const before = (await run.keys()).length
  const { endpoints } = stage.etcd
  const owned = spawnElect({ endpoints, election: run.election, value, onLine: (line) => said.push(line) })
  foreign.push(owned)
  await eventually(`${value} is in the queue`, async () => (await run.keys()).length === before + 1)
  return Object.assign(owned, { said, interrupt: () => void process.kill(owned.pid, 'SIGINT') })
}

const queueIs = (run: FaultRun, ...names: string[]) =>
  eventually(`the queue is ${names.join()}`, async () => (await run.queue()).join() === names.join())

describe.concurrent('one queue with etcdctl elect', () => {
  it('etcdctl leads, the library waits; SIGINT hands over at once', () =>
    withRun(stage, 'behind etcdctl', async (run) => {
      const first = await elect(run, 'etcdctl-1')
      const worker = await run.spawn('a')
      await worker.first('ready')
      worker.order({ do: 'enter' })
      await queueIs(run, 'etcdctl-1', 'a')
      const last = await elect(run, 'etcdctl-2')
      await pause(1_000)
      expect([first.said.length, worker.leadsWith(), last.said]).toEqual([2, null, []])
      run.mustFailOver('SIGINT', 1_500)
      first.interrupt()
      const { token } = await worker.first('leading')
      expect(token.revision).toBe(await run.headRevision())
      await queueIs(run, 'a', 'etcdctl-2')
      await run.judged({ exclusive: true })
      await eventually('the last one leads', () => last.said.length === 2, 3_000)
    }))

  it('the library leads, etcdctl waits; a resign hands over at once, and the library queues behind', () =>
    withRun(stage, 'before etcdctl', async (run) => {
      const [a] = await run.enterInOrder(['a'])
      const next = await elect(run, 'etcdctl-1')
      await pause(500)
      expect(next.said).toEqual([])
      const resignedMs = machineMs()
      a.order({ do: 'resign', reason: 'a test' })
      await eventually('etcdctl leads', () => next.said.length === 2, 3_000)
      note(run.name, `etcdctl led ${shownMs(machineMs() - resignedMs)} after the resign`)
      await queueIs(run, 'etcdctl-1', 'a')
      run.mustFailOver('SIGINT', 1_500)
      next.interrupt()
      await a.first('leading', { nth: 1 })
      await run.judged({ exclusive: true })
    }))

  it('a library leader that is killed is followed by etcdctl when its lease has run out', () =>
    withRun(stage, 'killed before etcdctl', async (run) => {
      const [a] = await run.enterInOrder(['a'])
      const next = await elect(run, 'etcdctl-1')
      await pause(200)
      const killedMs = machineMs()
      await run.kill(a)
      await eventually('etcdctl leads', () => next.said.length === 2, 5_000 + EXPIRY_LAG_MS)
      note(run.name, `etcdctl led ${shownMs(machineMs() - killedMs)} after kill -9, TTL 5 s`)
      await run.judged({ exclusive: true })
    }))

  // Its lease lasts a minute.
  if (LONG)
    it('an etcdctl leader that is killed is followed by the library when its lease has run out', () =>
      withRun(stage, 'behind a killed etcdctl', async (run) => {
        const first = await elect(run, 'etcdctl-1')
        const worker = await run.spawn('a')
        await worker.first('ready')
        worker.order({ do: 'enter' })
        await queueIs(run, 'etcdctl-1', 'a')
        run.mustFailOver('kill -9', ETCDCTL_TTL_MS + EXPIRY_LAG_MS)
        await first.kill()
        const { token } = await worker.first('leading', { withinMs: ETCDCTL_TTL_MS + 5_000 })
        expect(token.revision).toBe(await run.headRevision())
        await run.judged({ exclusive: true })
      }))
})

const go = LONG ? await buildGoPeer() : { missing: 'npm run test:faults has it' }
const why = 'missing' in go ? ` (not run: ${go.missing})` : ''

/** A worker of `clientv3/concurrency`, in the queue. */
async function enterGo(run: FaultRun, name: string): Promise<ElectedWorker> {
  // It writes to nothing: what is judged are the library's workers.
  const plan = { name, endpoints: stage.etcd.endpoints, election: run.election, ttlSeconds: 5, socket: '' }
  const worker = spawnElectedWorker(plan, 'command' in go ? { command: go.command } : {})
  foreign.push(worker)
  await worker.first('ready')
  const before = (await run.keys()).length
  worker.order({ do: 'enter' })
  await eventually(`${name} is in the queue`, async () => (await run.keys()).length === before + 1)
  return worker
}

if (LONG)
  describe.concurrent('one queue with a Go program', () => {
    it.skipIf(why !== '')(`hands over and resigns in order, both ways round${why}`, () =>
      withRun(stage, 'with Go', async (run) => {
        const first = await enterGo(run, 'go-1')
        await first.first('leading')
        const worker = await run.spawn('a')
        await worker.first('ready')
        worker.order({ do: 'enter' })
        await queueIs(run, 'go-1', 'a')
        const last = await enterGo(run, 'go-2')
        await pause(500)
        expect([worker.leadsWith(), last.leadsWith()]).toEqual([null, null])
        first.order({ do: 'resign', reason: 'a test' })
        const { token } = await worker.first('leading')
        expect(token.revision).toBe(await run.headRevision())
        await queueIs(run, 'a', 'go-2', 'go-1')
        worker.order({ do: 'resign', reason: 'a test' })
        await last.first('leading')
        await queueIs(run, 'go-2', 'go-1', 'a')
        await last.kill()
        await first.first('leading', { nth: 1, withinMs: 5_000 + EXPIRY_LAG_MS })
        await first.kill()
        await worker.first('leading', { nth: 1, withinMs: 5_000 + EXPIRY_LAG_MS })
        await run.judged({ exclusive: true })
      }),
    )
  })
