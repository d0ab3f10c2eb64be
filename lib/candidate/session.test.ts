import { describe, expect, it } from 'vitest'
import { sceneForEachTest } from './scene-for-test.ts'
import { type Renewal, Session } from './session.ts'

const scene = sceneForEachTest()

async function open(options = {}) {
  const renewals: Renewal[] = []
  const missed: string[] = []
  const hooks = {
    renewed: (renewal: Renewal) => renewals.push(renewal),
    missed: (error: Error) => missed.push(error.message),
  }
  const asked = scene().time.as('a', () => Session.open(scene().settings('a', options), hooks))
  await scene().run(5)
  return { session: await asked, renewals, missed, startMs: scene().time.monoMs() - 5 }
}

it('counts its first acknowledgement from when the grant was sent, not from its answer', async () => {
  scene().fate = { requestMs: 1, answerMs: 3 }
  const { session, startMs } = await open()
  expect(session.ackedMs).toBe(startMs)
  session.close()
})

it('renews every third of the TTL, and counts each from when it was sent', async () => {
  const { session, renewals, missed, startMs } = await open()
  scene().fate = { requestMs: 100, answerMs: 200 }
  await scene().run(3_600)
  expect(renewals.map(({ sentMs, rttMs }) => [sentMs - startMs, rttMs])).toEqual([
    [1_000, 300],
    [2_000, 300],
    [3_000, 300],
  ])
  expect([missed, session.ackedMs - startMs]).toEqual([[], 3_000])
  session.close()
})

it('tries again at once, then soon, and says what was missed, while etcd is away', async () => {
  const { session, renewals, missed } = await open()
  scene().etcd.partition('a')
  await scene().run(3_000)
  expect([renewals.length, session.lost.aborted]).toEqual([0, false])
  expect(missed.length).toBeGreaterThanOrEqual(3)
  scene().etcd.heal('a')
  session.close()
})

describe('a lease that is gone', () => {
  it('is lost, with the reason, and renewed no more', async () => {
    const { session, missed } = await open()
    scene().etcd.store.revoke(session.lease, 'somebody')
    await scene().run(1_100)
    expect((session.lost.reason as Error).message).toContain('it expired or was revoked')
    await scene().run(5_000)
    expect([missed, scene().time.waiting('a')]).toEqual([[], 0])
  })
})

it('closed, leaves no timer behind, keeps the lease, and tells of nothing that comes late', async () => {
  const { session, renewals, missed } = await open()
  scene().fate = { requestMs: 1, answerMs: 1, lost: 'answer' }
  await scene().run(1_050)
  session.close()
  await scene().run(1_000)
  expect([scene().time.waiting('a'), renewals, missed]).toEqual([0, [], []])
  expect(scene().etcd.store.renew(session.lease)).toBe(3_000)
})

it('is fresh until the deadline after a renewal was sent', async () => {
  const { session, startMs } = await open()
  await scene().run(1_994)
  expect(session.isFresh(startMs)).toBe(true)
  await scene().run(1)
  expect(session.isFresh(startMs)).toBe(false)
  session.close()
})
