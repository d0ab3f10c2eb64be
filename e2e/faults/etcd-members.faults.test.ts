/** What happens to etcd itself: one after the other, since all candidates feel it. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EtcdMember } from '../harness/etcd-member.ts'
import { eventually } from '../harness/library-candidate.ts'
import { machineMs } from '../harness/machine-clock.ts'
import { note, shownMs, tellFigures } from './figures.ts'
import { type FaultRun, withRun } from './run.ts'
import { type FaultStage, LONG, openStage } from './stage.ts'

let stage: FaultStage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(async () => {
  tellFigures('etcd loses members, leaders and quorum')
  await stage.stop()
})

const TTL_MS = 5_000
/** Issue: a leader again within the TTL and 3 s of etcd being back. */
const BACK_WITHIN_MS = TTL_MS + 3_000

async function follower(): Promise<EtcdMember> {
  const leader = await stage.etcd.raftLeader()
  const found = stage.etcd.members.find((each) => each !== leader)
  if (found === undefined) throw new Error('etcd has one member')
  return found
}

const leads = (run: FaultRun) => run.workers.some((each) => each.leadsWith() !== null)
const someoneLeads = (run: FaultRun) => eventually('somebody leads', () => leads(run), BACK_WITHIN_MS + 5_000)

/** Starts members again. From etcd's return: at once where the leader outlived the outage, else the next term's beginning. */
async function comesBack(run: FaultRun, members: readonly EtcdMember[]): Promise<void> {
  const [startMs, outlived] = [machineMs(), leads(run)]
  await Promise.all(members.map((each) => each.start()))
  const backMs = machineMs()
  if (!outlived) run.mustFailOver('etcd is back', backMs - startMs + BACK_WITHIN_MS, startMs)
  await someoneLeads(run)
  note(run.name, `somebody led ${shownMs(machineMs() - backMs)} after etcd was back`)
}

async function restarted(run: FaultRun, downMs: number): Promise<void> {
  const { members } = stage.etcd
  await run.enterInOrder(['a', 'b', 'c'])
  await Promise.all(members.map((each) => each.kill()))
  await pause(downMs)
  if (downMs >= TTL_MS) expect(leads(run)).toBe(false)
  await comesBack(run, members)
  await pause(TTL_MS)
  await run.judged({ exclusive: true })
}

describe('etcd', () => {
  it.for(['a follower', 'the raft leader'] as const)('%s is killed and comes back', (which) =>
    withRun(stage, `etcd: ${which} killed`, async (run) => {
      await run.enterInOrder(['a', 'b', 'c'])
      const member = which === 'a follower' ? await follower() : await stage.etcd.raftLeader()
      await member.kill()
      await pause(3_000)
      await someoneLeads(run)
      await comesBack(run, [member])
      await pause(1_000)
      await run.judged({ exclusive: true })
    }),
  )

  it('the raft leader moves: nobody loses the seat', () =>
    withRun(stage, 'raft leader moved', async (run) => {
      const [a] = await run.enterInOrder(['a', 'b'])
      const terms = a.all('ended').length
      const from = await stage.etcd.raftLeader()
      const to = await follower()
      const status = await stage.etcd.etcdctl(['endpoint', 'status', '--write-out=json'], { endpoints: [to.endpoint] })
      const id = BigInt(/"member_id":(\d+)/.exec(status.stdout)?.[1] ?? 0).toString(16)
      const moved = await stage.etcd.etcdctl(['move-leader', id], { endpoints: [from.endpoint] })
      expect(moved.stdout).toContain('Leadership transferred')
      await pause(TTL_MS)
      expect(a.all('ended')).toHaveLength(terms)
      await run.judged({ exclusive: true })
    }))

  it('the quorum is lost and comes back: the leader stops, nobody follows, then one leads', () =>
    withRun(stage, 'quorum lost', async (run) => {
      const [a, b, c] = await run.enterInOrder(['a', 'b', 'c'])
      const [, ...two] = stage.etcd.members
      const learns = a.next('ended')
      const terms = [a, b, c].flatMap((each) => each.all('leading')).length
      const lostMs = machineMs()
      await Promise.all(two.map((each) => each.kill()))
      const { learnedMs, why } = await learns
      note(run.name, `the leader gave up after ${shownMs(learnedMs - lostMs)}, "${why}"`)
      expect(why).toBe('not renewed')
      await pause(TTL_MS + 3_000)
      expect([a, b, c].flatMap((each) => each.all('leading'))).toHaveLength(terms)
      await comesBack(run, two)
      await run.judged({ exclusive: true })
    }))

  it('all of it restarts after 3 s', () => withRun(stage, 'etcd away for 3 s', (run) => restarted(run, 3_000)))

  if (LONG) {
    it('all of it restarts after 30 s', () => withRun(stage, 'etcd away for 30 s', (run) => restarted(run, 30_000)))
    it('all of it restarts after 3 min', { timeout: 300_000 }, () =>
      withRun(stage, 'etcd away for 3 min', (run) => restarted(run, 180_000)),
    )
  }
})
