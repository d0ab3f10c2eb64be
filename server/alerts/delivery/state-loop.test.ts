import { describe, expect, test } from 'vitest'
import { instant } from '../../../lib/shared/clock.ts'
import { DeliveryError, type Standing } from '../channels/channel.ts'
import { alertOf, LINKS, resolved } from '../channels/message-for-test.ts'
import { dispatch, FakeStateChannel, HOUR, pass, START, withFakeTime } from './dispatcher-for-test.ts'

withFakeTime()

describe('a channel of the state', () => {
  const standing = (...alerts: Standing['alert'][]) => alerts.map((alert) => ({ alert, links: LINKS }))

  test('is told at once when something changed, and again and again while it stays so', async () => {
    const channel = new FakeStateChannel()
    let stands: Standing[] = []
    const dispatcher = dispatch({ channels: [channel], standing: () => stands })
    await pass(1_000)
    expect(channel.pushed).toEqual([])
    stands = standing(alertOf({ key: 'a' }))
    dispatcher.changed()
    await pass()
    expect(channel.pushed).toEqual([{ keys: ['a'], atMs: 1_000 }])
    await pass(120_000)
    expect(channel.pushed.map(({ atMs }) => atMs)).toEqual([1_000, 61_000, 121_000])
  })

  test('gets many changes in one', async () => {
    const channel = new FakeStateChannel()
    const stands: Standing[] = []
    const dispatcher = dispatch({ channels: [channel], standing: () => stands })
    await pass(1_000)
    for (let nth = 0; nth < 100; nth += 1) {
      stands.push(...standing(alertOf({ key: String(nth) })))
      dispatcher.changed()
      await pass(1)
    }
    await pass(1_000)
    expect(channel.pushed).toHaveLength(2)
    expect(channel.pushed.at(-1)?.keys).toHaveLength(100)
  })

  test('is told sooner after a failure, at most 10 s later, and not given up', async () => {
    const channel = new FakeStateChannel()
    channel.behaves = async () => Promise.reject(new DeliveryError('down'))
    const dispatcher = dispatch({ channels: [channel], standing: () => standing(alertOf()) })
    await pass(HOUR)
    const gaps = channel.pushed.map(({ atMs }, nth) => atMs - (channel.pushed[nth - 1]?.atMs ?? 0)).slice(1)
    expect(Math.max(...gaps)).toBeLessThanOrEqual(10_001)
    expect(gaps.length).toBeGreaterThan(360)
    expect(dispatcher.troubleOf('am')).toBe('down')
    channel.behaves = async () => null
    await pass(10_001)
    expect(dispatcher.troubleOf('am')).toBeNull()
  })

  test('that asks to wait is not hurried by a change', async () => {
    const channel = new FakeStateChannel()
    channel.behaves = async () => Promise.reject(new DeliveryError('busy', { retryAfterMs: 30_000 }))
    const dispatcher = dispatch({ channels: [channel], standing: () => standing(alertOf()) })
    await pass()
    dispatcher.changed()
    await pass(29_999)
    expect(channel.pushed).toHaveLength(1)
    await pass(1)
    expect(channel.pushed).toHaveLength(2)
  })

  test('that was only told in part counts as told, with the trouble beside it, and is told again soon', async () => {
    const channel = new FakeStateChannel()
    channel.behaves = async () => 'am2 cannot be reached'
    const dispatcher = dispatch({ channels: [channel], standing: () => standing(alertOf()) })
    await pass()
    expect(dispatcher.shapes()[0]).toMatchObject({ lastDeliveredAt: instant(START), trouble: 'am2 cannot be reached' })
    await pass(1_000)
    expect(channel.pushed).toHaveLength(2)
  })

  test('goes on to hear of what it was told of and was silenced then: leaving it out would call it over', async () => {
    const channel = new FakeStateChannel()
    dispatch({ channels: [channel], standing: () => standing(alertOf({ key: 'silenced', silence: 's1' })) })
    await pass(60_000)
    expect(channel.pushed.map(({ keys }) => keys)).toEqual([['silenced'], ['silenced']])
  })

  test('hears nothing of what is pending, or not of its severities', async () => {
    const channel = new FakeStateChannel(['critical'])
    const stands = standing(
      alertOf({ key: 'firing' }),
      resolved({ key: 'over' }),
      alertOf({ key: 'pending', stage: 'pending' }),
      alertOf({ key: 'mild', severity: 'warning' }),
    )
    dispatch({ channels: [channel], standing: () => stands })
    await pass()
    expect(channel.pushed[0]?.keys).toEqual(['firing', 'over'])
  })
})
