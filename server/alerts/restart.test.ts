import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { instant } from '../../lib/shared/clock.ts'
import { damageSilences, lockAlone } from '../history/alert-file-for-test.ts'
import { LEADERLESS, quiet, type Scene, sceneMaker, T0 } from './scene-for-test.ts'

const newScene = sceneMaker()

describe('a restart (RC-23)', () => {
  test('repeats nothing of what was told and goes on', async () => {
    const scene = newScene(quiet)
    scene.open('billing', ['a'])
    scene.look()
    scene.lose('billing')
    scene.pass(30)
    expect(scene.told()).toHaveLength(1)
    await scene.restart()
    scene.pass(30)
    expect(scene.shown()).toEqual(['leaderless billing firing'])
    expect(scene.told()).toHaveLength(1)
  })

  test('tells what is over and what is new since, once, with the time approximate', async () => {
    const scene = newScene(quiet)
    scene.open('x', ['a'])
    scene.open('y', ['a'])
    scene.look()
    scene.lose('x')
    scene.pass(30)
    await scene.alerts.stop()
    const from = scene.now()
    scene.nowMs += 600_000
    const gap = { from, to: scene.now(), reason: 'Tenure was not running' }
    scene.apply('x', {
      type: 'relisted',
      at: scene.now(),
      revision: scene.state('x').revision,
      keys: [scene.put('x', 'b')],
      gap,
    })
    scene.apply('y', { type: 'relisted', at: scene.now(), revision: scene.state('y').revision, keys: [], gap })
    await scene.restart()
    // The TTL of a leader that nobody saw is not known: 15 s are assumed.
    scene.pass(32)
    expect(scene.told().slice(1)).toEqual([
      'resolved: x has no leader and no candidates',
      'firing: y has no leader and no candidates',
    ])
    const { alerts } = scene.alerts.history({ limit: 10 })
    expect(alerts.find(({ subject }) => subject === 'x')).toMatchObject({ resolvedApproximate: true })
    expect(alerts.find(({ subject }) => subject === 'y')).toMatchObject({ sinceApproximate: true, stage: 'firing' })
  })

  test('keeps acknowledgements and silences', async () => {
    const scene = newScene(quiet)
    scene.open('billing', ['a'])
    scene.look()
    scene.lose('billing')
    scene.pass(30)
    const id = scene.alerts.list().alerts[0]?.id ?? ''
    scene.alerts.acknowledge(id, { by: 'u1', comment: 'on it' })
    scene.alerts.silence({ rule: 'flapping', until: instant(scene.nowMs + 3_600_000), comment: 'known' }, 'u1')
    await scene.restart()
    const { alerts, silences } = scene.alerts.list()
    expect(alerts[0]?.acknowledged).toMatchObject({ by: 'u1', comment: 'on it' })
    expect(silences).toMatchObject([{ rule: 'flapping', comment: 'known', by: 'u1' }])
  })

  test('tells nobody of what a silence or a mass event kept from being told, before anything is seen again', async () => {
    const scene = newScene({ ...quiet, rules: { ...quiet.rules, leaderless: { forMs: 0 } } })
    const names = ['a', 'b', 'c', 'd', 'e']
    for (const name of [...names, 'silenced']) scene.open(name, ['w'])
    scene.look()
    scene.alerts.silence({ pattern: '/elections/silenced/', until: instant(T0 + 1e8), comment: 'x' }, 'u1')
    scene.lose('silenced')
    scene.pass(10)
    for (const name of names) scene.lose(name)
    scene.pass(10)
    scene.info({ freshness: 'unreachable' })
    await scene.restart()
    scene.pass(5)
    scene.info({ freshness: 'live' })
    scene.pass(5)
    const told = scene.told().filter((each) => !each.includes('cannot see'))
    expect(told).toEqual(['firing: 5 elections of etcd cluster eu lost their leaders at once'])
  })

  test('sends what had not been delivered', async () => {
    const scene = newScene(quiet)
    scene.open('billing', ['a'])
    scene.look()
    scene.lose('billing')
    scene.pass(30)
    const before = scene.store.next('sink')
    await scene.restart()
    expect(scene.store.next('sink')).toEqual(before)
    expect(before?.message.alert.summary).toBe(LEADERLESS)
  })
})

describe('the file of alerts', () => {
  const file = (scene: Scene) => join(scene.folder, 'alerts.sqlite')
  const leaderless = (scene: Scene) => {
    scene.open('billing', ['a'])
    scene.look()
    scene.lose('billing')
    scene.pass(30)
  }

  test('that cannot be written keeps nobody from being told', () => {
    const scene = newScene(quiet)
    scene.look()
    scene.store.close()
    leaderless(scene)
    expect(scene.store.next('sink')?.message.alert.summary).toBe(LEADERLESS)
  })

  test('that cannot be read at the start is read later: what it knew counts, under the same id', async () => {
    const scene = newScene(quiet)
    leaderless(scene)
    const before = scene.alerts.list().alerts[0]
    scene.alerts.acknowledge(before?.id ?? '', { by: 'u1', comment: 'on it' })
    scene.alerts.silence({ rule: 'flapping', until: instant(scene.nowMs + 3_600_000), comment: 'known' }, 'u1')
    let unlock = () => {}
    await scene.restart(() => {
      unlock = lockAlone(file(scene))
    })
    expect(scene.alerts.list()).toMatchObject({ silences: [], problem: expect.stringContaining('cannot be used') })
    unlock()
    scene.pass(2)
    expect(scene.alerts.list()).toMatchObject({
      alerts: [{ id: before?.id, acknowledged: { by: 'u1' } }],
      silences: [{ rule: 'flapping' }],
      problem: null,
    })
    expect(scene.alerts.history({ limit: 10 }).alerts).toHaveLength(1)
  })

  test('that is taken away while it is used is written anew', async () => {
    const scene = newScene(quiet)
    leaderless(scene)
    for (const end of ['', '-wal', '-shm']) rmSync(`${file(scene)}${end}`, { force: true })
    scene.pass(2)
    await scene.restart()
    scene.pass(2)
    expect(scene.shown()).toEqual(['leaderless billing firing'])
    expect(scene.store.waiting('sink')).toBe(0)
  })

  test('with a damaged row still tells the others, and says so', async () => {
    const scene = newScene(quiet)
    leaderless(scene)
    scene.alerts.silence({ rule: 'flapping', until: instant(scene.nowMs + 3_600_000), comment: 'known' }, 'u1')
    await scene.restart(() => damageSilences(file(scene)))
    expect(scene.alerts.list()).toMatchObject({ alerts: [{ rule: 'leaderless' }], silences: [] })
    expect(scene.alerts.list().problem).toContain('is damaged')
  })
})

test('nothing is told before it was looked at: who leads again when Tenure is back was never told of', async () => {
  const scene = newScene({ ...quiet, rules: { ...quiet.rules, leaderless: { forMs: 0 } } })
  scene.open('billing', ['a'])
  scene.look()
  scene.lose('billing')
  scene.look()
  expect(scene.shown()).toEqual(['leaderless billing firing'])
  scene.info({ freshness: 'unreachable' })
  await scene.restart()
  scene.pass(3)
  scene.join('billing', 'b')
  scene.info({ freshness: 'live' })
  scene.pass(3)
  expect(scene.told().filter((each) => each.includes('billing'))).toEqual([])
})
