import { afterEach, describe, expect, test } from 'vitest'
import type { StandingSwitch } from '../../lib/election/scopes.ts'
import { instant } from '../../lib/shared/clock.ts'
import { Scene, T0 } from './scene-for-test.ts'

const scenes: Scene[] = []
const newScene = (...args: ConstructorParameters<typeof Scene>) => {
  const scene = new Scene(...args)
  scenes.push(scene)
  return scene
}
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const LEADERLESS = 'billing has no leader and no candidates'

/** Alone from the beginning: its standby alert is of no interest here. */
const quiet = { rules: { 'no-standby': { off: true } }, elections: [] }

describe('an alert', () => {
  test('is pending for 2 × the TTL, fires once, and is resolved once', () => {
    const scene = newScene(quiet)
    scene.open('billing', ['a'])
    scene.look()
    expect(scene.shown()).toEqual([])
    scene.lose('billing')
    scene.pass(5)
    expect(scene.shown()).toEqual(['leaderless billing pending'])
    scene.pass(14)
    expect(scene.shown()).toEqual(['leaderless billing pending'])
    scene.pass(30)
    expect(scene.shown()).toEqual(['leaderless billing firing'])
    expect(scene.told()).toEqual([`firing: ${LEADERLESS}`])
    scene.join('billing', 'b')
    scene.pass(2)
    expect(scene.shown()).toEqual([])
    expect(scene.told()).toEqual([`firing: ${LEADERLESS}`, `resolved: ${LEADERLESS}`])
    const [over] = scene.alerts.history({ limit: 10 }).alerts
    expect(over).toMatchObject({ stage: 'resolved', resolvedApproximate: false, sinceApproximate: false })
    expect(over?.firedAt).toBe(instant(T0 + 20_000))
  })

  test('is not told when it was over before it fired', () => {
    const scene = newScene(quiet)
    scene.open('billing', ['a'])
    scene.look()
    scene.lose('billing')
    scene.pass(15)
    scene.join('billing', 'b')
    scene.pass(30)
    expect(scene.told()).toEqual([])
  })

  test('of the same trouble has the same key each time, and another id', () => {
    const scene = newScene({ ...quiet, rules: { ...quiet.rules, leaderless: { forMs: 0 } } })
    scene.open('billing', ['a'])
    scene.look()
    for (let time = 0; time < 2; time += 1) {
      scene.lose('billing')
      scene.pass(2)
      scene.join('billing', 'a')
      scene.pass(2)
    }
    const { alerts } = scene.alerts.history({ limit: 10 })
    expect(new Set(alerts.map(({ key }) => key)).size).toBe(1)
    expect(new Set(alerts.map(({ id }) => id)).size).toBe(2)
  })

  test('neither begins nor ends while the view is stale', () => {
    const scene = newScene(quiet)
    scene.open('billing', ['a'])
    scene.open('other', ['a'])
    scene.look()
    scene.lose('billing')
    scene.pass(25)
    scene.info({ freshness: 'stale' })
    scene.join('billing', 'b')
    scene.lose('other')
    scene.pass(60)
    expect(scene.shown().filter((each) => !each.startsWith('view-stale'))).toEqual(['leaderless billing firing'])
    scene.info({ freshness: 'live' })
    scene.pass(1)
    expect(scene.shown().filter((each) => !each.startsWith('view-stale'))).toEqual(['leaderless other firing'])
    const [over] = scene.alerts
      .history({ limit: 10, rule: 'leaderless' })
      .alerts.filter(({ stage }) => stage === 'resolved')
    expect(over).toMatchObject({ subject: 'billing', resolvedApproximate: true })
  })

  test('of a late lease ends a minute after a renewal, and at once with the leader', () => {
    for (const isLost of [false, true]) {
      const scene = newScene({ ...quiet, rules: { ...quiet.rules, leaderless: { off: true } } })
      scene.open('billing', ['a'])
      const lease = scene.state('billing').candidates[0]?.lease
      if (lease == null) throw new Error('no lease')
      scene.pass(1)
      scene.sample('billing', lease, { grantedMs: 10_000, remainingMs: 1_000, asOf: scene.now() })
      scene.pass(1)
      expect(scene.shown()).toEqual(['lease-margin billing firing'])
      if (isLost) scene.lose('billing')
      else scene.sample('billing', lease, { grantedMs: 10_000, remainingMs: 9_000, asOf: scene.now() })
      scene.pass(59)
      expect(scene.shown()).toEqual(isLost ? [] : ['lease-margin billing firing'])
      scene.pass(3)
      expect(scene.shown()).toEqual([])
    }
  })

  test('of an election that is an unconfirmed look-alike never begins', () => {
    const scene = newScene()
    scene.open('billing', ['a'])
    scene.view.elections.set(scene.ref('billing'), { ...scene.state('billing'), confirmed: false })
    scene.pass(120)
    expect(scene.shown()).toEqual([])
  })
})

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

describe('a silence', () => {
  test('keeps it from being told until it ends', () => {
    const scene = newScene(quiet)
    scene.open('billing', ['a'])
    scene.look()
    scene.alerts.silence({ pattern: '/elections/*/', until: instant(scene.nowMs + 60_000), comment: 'upgrade' }, 'u1')
    scene.lose('billing')
    scene.pass(40)
    expect(scene.shown()).toEqual(['leaderless billing firing'])
    expect(scene.told()).toEqual([])
    scene.pass(30)
    expect(scene.told()).toEqual([`firing: ${LEADERLESS}`])
  })

  test('does not keep it from being told that it is over', () => {
    const scene = newScene(quiet)
    scene.open('billing', ['a'])
    scene.look()
    scene.lose('billing')
    scene.pass(30)
    scene.alerts.silence({ cluster: 'eu', until: instant(scene.nowMs + 600_000), comment: 'seen' }, 'u1')
    scene.join('billing', 'b')
    scene.pass(5)
    expect(scene.told()).toEqual([`firing: ${LEADERLESS}`, `resolved: ${LEADERLESS}`])
  })

  test.each([
    ['names nothing', { until: instant(T0 + 1), comment: 'x' }, /must name a cluster, a rule or a pattern/],
    ['is over already', { rule: 'flapping', until: instant(T0), comment: 'x' } as const, /name a time to come/],
    ['never ends', { rule: 'flapping', until: instant(T0 + 1e11), comment: 'x' } as const, /31 days at most/],
  ])('that %s is refused', (_, silence, why) => {
    expect(() => newScene().alerts.silence(silence, 'u1')).toThrow(why)
  })
})

describe('a mass event (RC-13)', () => {
  const names = Array.from({ length: 40 }, (_, n) => `job-${n}`)
  const lost = (forMs: number | undefined) => {
    const rules = { ...quiet.rules, ...(forMs === undefined ? {} : { leaderless: { forMs } }) }
    const scene = newScene({ rules, elections: [] })
    for (const name of names) scene.open(name, ['a'])
    scene.look()
    for (const name of names) {
      scene.lose(name)
      scene.nowMs += 5
    }
    return scene
  }

  test.each([undefined, 0])('is one alert, not forty (leaderless for %s)', (forMs) => {
    const scene = lost(forMs)
    scene.pass(60)
    expect(scene.told()).toEqual(['firing: 40 elections of etcd cluster eu lost their leaders at once'])
    expect(scene.alerts.list().alerts.filter(({ partOf }) => partOf === null)).toHaveLength(1)
  })

  test('of thousands is first in the list, which has an end', () => {
    const scene = newScene(quiet)
    const many = Array.from({ length: 1_200 }, (_, n) => `m-${n}`)
    for (const name of many) scene.open(name, ['a'])
    scene.look()
    for (const name of many) scene.lose(name)
    scene.pass(25)
    const { alerts, more } = scene.alerts.list()
    expect(alerts[0]?.rule).toBe('mass-event')
    expect([alerts.length, more]).toEqual([1_000, 201])
  })

  test('is over when all are led again and five minutes have passed; who is still without a leader keeps it', () => {
    const scene = lost(undefined)
    for (const name of names.slice(1)) scene.join(name, 'b')
    scene.pass(400)
    expect(scene.alerts.list().alerts.map(({ rule }) => rule)).toEqual(['mass-event', 'leaderless'])
    expect(scene.alerts.list().alerts[0]?.detail).toContain('1 has no leader: /elections/job-0/')
    scene.join('job-0', 'b')
    scene.pass(2)
    expect(scene.shown()).toEqual([])
    expect(scene.told()).toHaveLength(2)
  })

  test('has the same key after a restart', async () => {
    const scene = lost(undefined)
    scene.pass(30)
    await scene.restart()
    scene.pass(5)
    expect(scene.told()).toHaveLength(1)
  })

  test('is none when their leaders resigned', () => {
    const scene = newScene(quiet)
    for (const name of names) scene.open(name, ['a', 'b'])
    scene.look()
    for (const name of names) scene.lose(name, { cause: 'resigned or removed', evidence: 'test' })
    scene.pass(10)
    expect(scene.shown()).toEqual([])
  })
})

describe('a kill switch', () => {
  const standing = (over: Partial<StandingSwitch['record']> = {}): StandingSwitch => ({
    scope: '/elections/billing/',
    scopeBase64: btoa('/elections/billing/'),
    state: 'engaged',
    match: 'exact',
    record: { reason: 'upgrade', by: 'u1', at: instant(T0), nonce: 'n', log: [], ...over },
  })

  test('that is forgotten is told after a day, and again after each (RC-19)', async () => {
    const scene = newScene(quiet)
    scene.info({ switches: [standing()] })
    scene.look()
    scene.nowMs = T0 + 25 * 3_600_000
    await scene.restart()
    scene.pass(2)
    scene.nowMs = T0 + 49 * 3_600_000
    scene.pass(2)
    expect(scene.told()).toEqual([
      'firing: Kill switch on /elections/billing/ has been engaged for 1 d 00 h',
      'reminder: Kill switch on /elections/billing/ has been engaged for 2 d 00 h',
    ])
  })

  test('says that no failover will happen when the leader dies under it (RC-19)', () => {
    const scene = newScene(quiet)
    scene.open('billing', ['a'])
    scene.info({ switches: [standing()] })
    scene.look()
    scene.nowMs += 60_000
    scene.lose('billing', { cause: 'lease lost', evidence: 'test', duringStop: true })
    scene.pass(30)
    const [alert] = scene.alerts.list().alerts
    expect(alert?.rule).toBe('leaderless')
    expect(alert?.detail).toContain('No failover will happen: kill switch on since Thu 12 Mar 03:00:00 UTC by u1')
  })

  test('that emptied the seat itself is no trouble', () => {
    const scene = newScene(quiet)
    scene.open('billing', ['a'])
    scene.info({ switches: [standing()] })
    scene.look()
    scene.lose('billing', { cause: 'kill switch', by: 'u1', evidence: 'test' })
    scene.pass(120)
    expect(scene.shown()).toEqual([])
  })
})

describe('changes of leader', () => {
  const churn = (changes: number) => {
    const scene = newScene({ rules: { leaderless: { off: true }, 'no-standby': { off: true } }, elections: [] })
    scene.open('billing', ['a', 'b', 'c'])
    scene.look()
    for (let time = 0; time < changes; time += 1) {
      scene.lose('billing', { cause: 'resigned or removed', evidence: 'test' })
      scene.join('billing', `again-${time}`)
      scene.pass(20)
    }
    return scene
  }

  test('a rolling restart of three candidates does not page', () => {
    expect(churn(3).shown()).toEqual([])
  })

  test('the fourth in a quarter of an hour is flapping, until they are long enough ago', () => {
    const scene = churn(4)
    expect(scene.told()).toEqual(['firing: billing flaps: 4 changes of leader in 15 m 00 s'])
    scene.nowMs += 15 * 60_000
    scene.pass(2)
    expect(scene.shown()).toEqual([])
  })
})

test('what cannot be saved is told all the same, and saved later', () => {
  const scene = newScene(quiet)
  scene.open('billing', ['a'])
  scene.look()
  scene.store.close()
  scene.lose('billing')
  scene.pass(30)
  expect(scene.store.next('sink')?.message.alert.summary).toBe(LEADERLESS)
})
