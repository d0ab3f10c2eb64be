import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { StandingSwitch } from '../../lib/election/scopes.ts'
import { instant } from '../../lib/shared/clock.ts'
import { damageSilences, lockAlone } from '../history/alert-file-for-test.ts'
import { MOST_WAITING, Queues } from '../history/alert-queues.ts'
import type { Message } from '../history/outbox.ts'
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
    expect(over?.detail).toMatch(
      /^b leads since 03:00:49 UTC\. It was: Nobody has led since 03:00:00 UTC\. .* lease lost\./,
    )
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

  test('of a late lease ends a minute after a renewal, and at once with another leader; nobody leading is no end', () => {
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
      expect(scene.shown()).toEqual(['lease-margin billing firing'])
      if (isLost) scene.join('billing', 'b')
      scene.pass(isLost ? 1 : 3)
      expect(scene.shown()).toEqual([])
    }
  })

  test('of a late lease is not told where its leader dies and the next one leads', () => {
    const scene = newScene(quiet)
    scene.open('billing', ['a', 'b'])
    const lease = scene.state('billing').candidates[0]?.lease
    if (lease == null) throw new Error('no lease')
    scene.pass(1)
    scene.sample('billing', lease, { grantedMs: 10_000, remainingMs: 1_000, asOf: scene.now() })
    scene.pass(4)
    scene.lose('billing')
    scene.pass(90)
    expect(scene.told()).toEqual([])
  })

  test('is told to be over to whoever was told of it, whatever its severity is by then', async () => {
    const scene = newScene(quiet)
    scene.severities = ['critical']
    await scene.restart()
    scene.open('billing', ['a'])
    scene.pass(1)
    scene.lose('billing')
    scene.pass(40)
    scene.settings = { ...quiet, rules: { ...quiet.rules, leaderless: { severity: 'warning' } } }
    await scene.restart()
    scene.join('billing', 'b')
    scene.pass(5)
    expect(scene.told()).toEqual([`firing: ${LEADERLESS}`, `resolved: ${LEADERLESS}`])
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
    expect(scene.alerts.list().alerts[0]?.detail).toContain('1 has no leader: job-0')
    scene.join('job-0', 'b')
    scene.pass(2)
    expect(scene.shown()).toEqual([])
    expect(scene.told()).toHaveLength(2)
  })

  test('that goes on over six seconds is one', () => {
    const scene = newScene(quiet)
    for (const name of names) scene.open(name, ['a'])
    scene.look()
    for (const name of names) {
      scene.lose(name)
      scene.nowMs += 150
      scene.look()
    }
    scene.pass(60)
    expect(scene.told()).toHaveLength(1)
    expect(scene.alerts.list().alerts[0]?.detail).toContain('40 elections lost their leaders within 6 s')
  })

  test('that is over says nothing of what is lost later', () => {
    const scene = lost(undefined)
    for (const name of names) scene.join(name, 'b')
    scene.pass(400)
    scene.lose('job-0')
    scene.pass(40)
    expect(scene.told()).toEqual([
      'firing: 40 elections of etcd cluster eu lost their leaders at once',
      'resolved: 40 elections of etcd cluster eu lost their leaders at once',
      'firing: job-0 has no leader and no candidates',
    ])
  })

  test('that is not over says nothing of an election that was led again, and is lost anew', () => {
    const scene = lost(undefined)
    for (const name of names.slice(1)) scene.join(name, 'b')
    scene.pass(30)
    scene.lose('job-1')
    scene.pass(40)
    expect(scene.told().slice(1)).toEqual(['firing: job-1 has no leader and no candidates'])
  })

  test('that is a warning says nothing of what is critical', () => {
    const rules = { ...quiet.rules, leaderless: { forMs: 0 }, 'mass-event': { severity: 'warning' } } as const
    const scene = newScene({ rules, elections: [] })
    for (const name of names) scene.open(name, ['a'])
    scene.look()
    for (const name of names) scene.lose(name)
    scene.pass(10)
    expect(scene.told()).toHaveLength(41)
  })

  test('is none when a restore undid the terms', () => {
    const scene = newScene(quiet)
    for (const name of names) scene.open(name, ['a', 'b'])
    scene.look()
    for (const name of names) scene.lose(name, { cause: 'store rolled back', evidence: 'test' })
    scene.pass(10)
    expect(scene.shown()).toEqual([])
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

describe('the same wrong with many elections', () => {
  test('is one alert, and one message that it is over', () => {
    const scene = newScene()
    const names = Array.from({ length: 300 }, (_, n) => `job-${n}`)
    for (const name of names) scene.open(name, ['a'])
    scene.pass(70)
    expect(scene.told()).toEqual(['firing: etcd cluster eu: 300 elections have no standby'])
    for (const name of names.slice(0, 299)) scene.join(name, 'b')
    scene.pass(3)
    expect(scene.told()).toHaveLength(1)
    scene.join('job-299', 'b')
    scene.pass(3)
    expect(scene.told().slice(1)).toEqual([expect.stringMatching(/^resolved: etcd cluster eu: 1 /)])
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

describe('a channel that is away for long', () => {
  test('loses first what was over meanwhile, then warnings; nobody is told of an end alone', () => {
    const queues = new Queues(() => {})
    const alert = (n: number, severity: 'critical' | 'warning') => ({
      id: `a${n}`,
      key: `k${n}`,
      severity,
      summary: `${n}`,
    })
    const add = (n: number, kind: 'firing' | 'resolved', severity: 'critical' | 'warning' = 'warning') =>
      queues.add('sink', { id: `${kind}${n}`, kind, at: instant(T0), alert: alert(n, severity) } as unknown as Message)
    for (let n = 0; n < MOST_WAITING - 2; n += 1) add(n, 'firing', 'critical')
    add(5, 'resolved', 'critical')
    add(MOST_WAITING, 'firing')
    add(MOST_WAITING + 1, 'firing', 'critical')
    expect(queues.waiting('sink')).toBe(MOST_WAITING - 1)
    add(MOST_WAITING + 2, 'firing', 'critical')
    add(MOST_WAITING + 3, 'firing', 'critical')
    expect(queues.waiting('sink')).toBe(MOST_WAITING)
    add(MOST_WAITING, 'resolved')
    expect(queues.waiting('sink')).toBe(MOST_WAITING)
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
