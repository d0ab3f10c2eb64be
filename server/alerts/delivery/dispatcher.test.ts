import { describe, expect, test, vi } from 'vitest'
import { type Clock, instant } from '../../../lib/shared/clock.ts'
import { FakeOutbox } from '../../history/fake-outbox.ts'
import type { Message } from '../channels/channel.ts'
import { alertOf, LINKS, messageOf } from '../channels/message-for-test.ts'
import {
  dispatch,
  FakeChannel,
  FakeStateChannel,
  HOUR,
  hangs,
  pass,
  refuses,
  START,
  withFakeTime,
} from './dispatcher-for-test.ts'

withFakeTime()

const message = (id: string, change: Partial<Message> = {}) => messageOf({ id, at: instant(Date.now()), ...change })
const ids = ({ sent }: FakeChannel) => sent.map(({ id }) => id)

describe('a message', () => {
  test('is sent at once, each once, oldest first', async () => {
    const channel = new FakeChannel()
    const outbox = new FakeOutbox()
    outbox.add('hook', message('m1'))
    const dispatcher = dispatch({ channels: [channel], outbox })
    await pass()
    outbox.add('hook', message('m2'))
    outbox.add('hook', message('m3'))
    await pass()
    expect(ids(channel)).toEqual(['m1', 'm2', 'm3'])
    expect(outbox.of('hook', 'm3')).toMatchObject({ state: 'delivered', attempts: 1, at: instant(START) })
    expect(dispatcher.shapes()).toEqual([
      {
        name: 'hook',
        type: 'webhook',
        to: 'hook.example.org',
        severities: ['critical', 'warning'],
        waiting: 0,
        lastDeliveredAt: instant(START),
        trouble: null,
      },
    ])
  })

  test('is tried again later and later, 1 s to 5 min, and later ones wait behind it', async () => {
    const channel = new FakeChannel('hook', refuses())
    const outbox = new FakeOutbox()
    const dispatcher = dispatch({ channels: [channel], outbox })
    outbox.add('hook', message('m1'))
    outbox.add('hook', message('m2'))
    await pass(2 * HOUR)
    expect(new Set(ids(channel))).toEqual(new Set(['m1']))
    const gaps = channel.sent.map(({ atMs }, nth) => atMs - (channel.sent[nth - 1]?.atMs ?? 0)).slice(1)
    for (const [nth, gap] of gaps.entries()) {
      const ceiling = Math.min(300_000, 1_000 * 2 ** nth)
      expect(gap).toBeGreaterThanOrEqual(ceiling / 2 - 1)
      expect(gap).toBeLessThanOrEqual(ceiling + 1)
    }
    expect(gaps.length).toBeGreaterThan(20)
    expect(dispatcher.troubleOf('hook')).toBe('hook.example.org answered 500')
    channel.behaves = async () => null
    await pass(300_001)
    expect(ids(channel).slice(-2)).toEqual(['m1', 'm2'])
    expect(dispatcher.troubleOf('hook')).toBeNull()
  })

  test('is given up after 24 h, and the next has its turn', async () => {
    const channel = new FakeChannel('hook', async ({ id }) => (id === 'm1' ? refuses()(message(id), never) : null))
    const outbox = new FakeOutbox()
    dispatch({ channels: [channel], outbox })
    outbox.add('hook', message('m1'))
    outbox.add('hook', message('m2'))
    await pass(23 * HOUR)
    expect(outbox.of('hook', 'm1')?.state).toBe('waiting')
    await pass(2 * HOUR)
    expect(outbox.of('hook', 'm1')).toMatchObject({
      state: 'failed',
      error: 'given up after 24 h: hook.example.org answered 500',
    })
    expect(outbox.of('hook', 'm2')?.state).toBe('delivered')
  })

  test('that is refused for good is not sent again', async () => {
    const channel = new FakeChannel('hook', refuses({ permanent: true }))
    const outbox = new FakeOutbox()
    dispatch({ channels: [channel], outbox })
    outbox.add('hook', message('m1'))
    await pass(HOUR)
    expect(ids(channel)).toEqual(['m1'])
    expect(outbox.of('hook', 'm1')).toMatchObject({ state: 'failed', error: 'hook.example.org answered 500' })
  })

  test('waits as long as the other side asks, but no longer than an hour', async () => {
    const channel = new FakeChannel('hook', refuses({ retryAfterMs: 90_000 }))
    const outbox = new FakeOutbox()
    dispatch({ channels: [channel], outbox })
    outbox.add('hook', message('m1'))
    await pass(89_999)
    expect(channel.sent).toHaveLength(1)
    channel.behaves = refuses({ retryAfterMs: 10 * HOUR })
    await pass(1)
    expect(channel.sent).toHaveLength(2)
    channel.behaves = async () => null
    await pass(HOUR)
    expect(channel.sent).toHaveLength(3)
  })

  test('goes on after a restart where it was: attempts count, and it is not hurried', async () => {
    const outbox = new FakeOutbox()
    const first = dispatch({ channels: [new FakeChannel('hook', refuses())], outbox })
    outbox.add('hook', message('m1'))
    await pass(HOUR)
    await Promise.all([first.stop(), pass(3_000)])
    const { attempts = 0, nextAt = '' } = outbox.of('hook', 'm1') ?? {}
    expect(attempts).toBeGreaterThan(8)
    const channel = new FakeChannel('hook', refuses())
    dispatch({ channels: [channel], outbox })
    await pass(Date.parse(nextAt) - Date.now() - 1)
    expect(channel.sent).toHaveLength(0)
    await pass(1)
    expect(channel.sent).toHaveLength(1)
    expect(outbox.of('hook', 'm1')?.attempts).toBe(attempts + 1)
    await pass(149_000)
    expect(channel.sent).toHaveLength(1)
  })

  test('is not held up by a wall clock that steps', async () => {
    let offMs = 0
    const clock: Clock = { nowMs: () => Date.now() + offMs, monoMs: () => performance.now() }
    const channel = new FakeChannel('hook', refuses())
    const outbox = new FakeOutbox()
    dispatch({ channels: [channel], outbox, clock })
    outbox.add('hook', message('m1'))
    await pass()
    offMs = -10 * HOUR
    channel.behaves = async () => null
    await pass(1_000)
    expect(outbox.of('hook', 'm1')?.state).toBe('delivered')
  })

  test('that was taken is not sent a second time where that cannot be written down', async () => {
    const channel = new FakeChannel()
    const outbox = new FakeOutbox()
    outbox.isStuck = true
    dispatch({ channels: [channel], outbox })
    outbox.add('hook', message('m1'))
    await pass(10_000)
    expect(ids(channel)).toEqual(['m1'])
    outbox.isStuck = false
    await pass(1_000)
    expect(outbox.of('hook', 'm1')?.state).toBe('delivered')
  })

  test('does not hang on a defect of a channel', async () => {
    const channel = new FakeChannel('hook', async () => Promise.reject(new TypeError('secret-token is no function')))
    const outbox = new FakeOutbox()
    const dispatcher = dispatch({ channels: [channel], outbox })
    outbox.add('hook', message('m1'))
    await pass()
    expect(dispatcher.troubleOf('hook')).toBe('a defect of Tenure kept it from being sent (TypeError)')
    channel.behaves = async () => null
    await pass(1_000)
    expect(outbox.of('hook', 'm1')?.state).toBe('delivered')
  })
})

const never = new AbortController().signal

test('a channel that is slow or down does not hold up the others', async () => {
  const channels = [new FakeChannel('slow', hangs), new FakeChannel('down', refuses()), new FakeChannel('fine')]
  const outbox = new FakeOutbox()
  dispatch({ channels, outbox })
  for (const { name } of channels) for (const id of ['m1', 'm2']) outbox.add(name, message(id))
  await pass()
  expect(channels.map(ids)).toEqual([['m1'], ['m1'], ['m1', 'm2']])
})

test('trouble is logged once while it lasts, and when it is over', async () => {
  const said: string[] = []
  const say = (_: object, text: string) => void said.push(text)
  const channel = new FakeChannel('hook', refuses())
  const outbox = new FakeOutbox()
  dispatch({ channels: [channel], outbox, log: { info: say, warn: say, error: say } })
  outbox.add('hook', message('m1'))
  await pass(HOUR)
  expect(said).toEqual(['channel has trouble'])
  channel.behaves = async () => null
  await pass(HOUR)
  expect(said).toEqual(['channel has trouble', 'channel takes alerts again'])
})

describe('a test', () => {
  test('goes past the queue, and a channel that takes it is tried with what waits', async () => {
    const channel = new FakeChannel('hook', refuses())
    const outbox = new FakeOutbox()
    const dispatcher = dispatch({ channels: [channel], outbox })
    outbox.add('hook', message('m1'))
    await pass(HOUR)
    channel.behaves = async () => null
    channel.sent.splice(0)
    expect(await dispatcher.test('hook')).toEqual({ delivered: true, tookMs: 0 })
    await pass()
    expect(ids(channel)).toEqual([expect.stringMatching(/^test-/), 'm1'])
    expect(dispatcher.troubleOf('hook')).toBeNull()
  })

  test('says why it failed', async () => {
    const dispatcher = dispatch({ channels: [new FakeChannel('hook', refuses())] })
    expect(await dispatcher.test('hook')).toEqual({
      delivered: false,
      error: 'hook.example.org answered 500',
      tookMs: 0,
    })
    expect(dispatcher.troubleOf('hook')).toBe('hook.example.org answered 500')
    expect(await dispatcher.test('other')).toMatchObject({ delivered: false, error: 'there is no channel "other"' })
  })

  test('of the state is an alert of its own', async () => {
    const channel = new FakeStateChannel(['critical'])
    const dispatcher = dispatch({ channels: [channel] })
    expect(await dispatcher.test('am')).toMatchObject({ delivered: true })
    expect(channel.pushed).toEqual([{ keys: ['tenure-test/am'], atMs: 0 }])
  })
})

describe('stopping', () => {
  test('lets what is under way end, begins nothing more, and writes down what was taken', async () => {
    let take = () => {}
    const channel = new FakeChannel('hook', () => new Promise((resolve) => (take = () => resolve(null))))
    const outbox = new FakeOutbox()
    const dispatcher = dispatch({ channels: [channel], outbox })
    outbox.add('hook', message('m1'))
    outbox.add('hook', message('m2'))
    await pass()
    const stopped = dispatcher.stop()
    take()
    await stopped
    expect(outbox.of('hook', 'm1')?.state).toBe('delivered')
    expect(ids(channel)).toEqual(['m1'])
  })

  test('waits 2 s at most; what is cut short is no attempt that failed', async () => {
    const outbox = new FakeOutbox()
    let signal: AbortSignal | undefined
    const channel = new FakeChannel('hook', (sent, given) => {
      signal = given
      return hangs(sent, given)
    })
    const state = new FakeStateChannel()
    state.behaves = () => new Promise(() => {})
    const dispatcher = dispatch({
      channels: [channel, state],
      outbox,
      standing: () => [{ alert: alertOf(), links: LINKS }],
    })
    outbox.add('hook', message('m1'))
    await pass()
    let isStopped = false
    void dispatcher.stop().then(() => {
      isStopped = true
    })
    await pass(1_999)
    expect([isStopped, signal?.aborted]).toEqual([false, false])
    await pass(1)
    expect([isStopped, signal?.aborted]).toEqual([true, true])
    await pass()
    expect(outbox.of('hook', 'm1')).toMatchObject({ state: 'waiting', attempts: 0, error: null })
  })

  test('is quick when nothing is under way', async () => {
    const dispatcher = dispatch({ channels: [new FakeChannel('hook', refuses())] })
    await pass(100)
    await dispatcher.stop()
    expect(vi.getTimerCount()).toBe(0)
  })
})
