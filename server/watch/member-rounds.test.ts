import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Etcd } from '../../lib/election/ports.ts'
import { MemberRounds } from './member-rounds.ts'
import type { Members } from './members.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Rounds over `endpoints` without a probe; `looks` tells how often the members were asked. */
function rounds(endpoints: number) {
  const state = { looks: 0, trouble: false }
  const members = {
    refresh: async () => {
      state.looks += 1
    },
    inTrouble: () => state.trouble,
  } as unknown as Members
  const etcd = { endpoints: Array.from({ length: endpoints }, (_, at) => `http://${at}`) } as unknown as Etcd
  const clock = { monoMs: () => performance.now(), nowMs: () => Date.now() }
  const running = new MemberRounds({ etcd, clock, members, probe: false, onProbe: () => {} })
  const stopping = new AbortController()
  const done = running.run(stopping.signal)
  const looksWithin = async (ms: number) => {
    const before = state.looks
    await vi.advanceTimersByTimeAsync(ms)
    return state.looks - before
  }
  return {
    state,
    looksWithin,
    doubt: () => running.doubt(),
    stop: async () => {
      stopping.abort()
      await done
    },
  }
}

test('members that are well are asked four times a minute, one in trouble every three seconds', async () => {
  const { state, looksWithin, stop } = rounds(3)
  await looksWithin(0)
  expect(await looksWithin(60_000)).toBe(4)
  state.trouble = true
  await looksWithin(15_000)
  expect(await looksWithin(60_000)).toBe(20)
  await stop()
})

test('the only member is asked for its alarms as often, and at once when there is doubt', async () => {
  const { looksWithin, doubt, stop } = rounds(1)
  await looksWithin(0)
  expect(await looksWithin(60_000)).toBe(4)
  await looksWithin(3_000)
  doubt()
  expect(await looksWithin(100)).toBe(1)
  await stop()
})

test('a storm of doubts is one look a second', async () => {
  const { looksWithin, doubt, stop } = rounds(3)
  await looksWithin(2_000)
  const storm = setInterval(doubt, 10)
  expect(await looksWithin(10_000)).toBeLessThanOrEqual(11)
  clearInterval(storm)
  await stop()
})
