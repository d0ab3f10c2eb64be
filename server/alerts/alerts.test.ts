import { describe, expect, test } from 'vitest'
import type { StandingSwitch } from '../../lib/election/scopes.ts'
import { instant } from '../../lib/shared/clock.ts'
import { LEADERLESS, quiet, sceneMaker, T0 } from './scene-for-test.ts'

const newScene = sceneMaker()

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
