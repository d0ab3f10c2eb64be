import { describe, expect, test } from 'vitest'
import { quiet, sceneMaker } from './scene-for-test.ts'

const newScene = sceneMaker()

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
