import { afterEach, describe, expect, it, test, vi } from 'vitest'
import type { LeaseAnswer, LeasePort } from '../../lib/election/ports.ts'
import type { LeaseId, LeaseSample } from '../../lib/election/types.ts'
import { LeaseLookups, type Rank } from './lease-lookups.ts'

const answer: LeaseAnswer = {
  header: { raftTerm: '1' },
  lease: { grantedMs: 60_000, remainingMs: 30_000, keys: [] },
} as never

/** Look-ups that run against an etcd which answers at once. */
function lookedUp(wanted: readonly [string, Rank][]) {
  const asked: string[] = []
  const askedMs: number[] = []
  let stoodMs = 0
  const monoMs = () => performance.now() + stoodMs
  const clock = { nowMs: () => 1_000_000 + monoMs(), monoMs }
  const timeToLive = async (lease: LeaseId) => {
    asked.push(lease)
    askedMs.push(monoMs())
    return answer
  }
  const etcd = { timeToLive } as unknown as LeasePort
  const lookups = new LeaseLookups({ etcd, clock, endpoint: () => undefined, onSample: () => {}, onDenied: () => {} })
  for (const [lease, rank] of wanted) lookups.want(lease as LeaseId, rank)
  const stopping = new AbortController()
  const running = lookups.run(stopping.signal)
  return {
    asked,
    askedMs,
    lookups,
    /** Time goes by, but nothing runs. */
    standStill: (ms: number) => {
      stoodMs += ms
    },
    stop: async (afterMs: number) => {
      if (afterMs > 0) await new Promise((resolve) => setTimeout(resolve, afterMs))
      stopping.abort()
      await running
      return asked
    },
  }
}

const many = (count: number) => Array.from({ length: count }, (_, at): [string, Rank] => [`lease-${at}`, 1])

/** The most that were made from any one of them until a second later. */
function busiestSecond(timesMs: readonly number[]): number {
  return Math.max(...timesMs.map((from) => timesMs.filter((atMs) => atMs >= from && atMs < from + 1_000).length))
}

afterEach(() => void vi.useRealTimers())

test('a refill by a new etcd raft leader is told until the next renewal, and never as one', async () => {
  vi.useFakeTimers()
  const answers = [
    { raftTerm: '1', remainingMs: 5_000 },
    { raftTerm: '2', remainingMs: 9_000 },
    { raftTerm: '2', remainingMs: 7_000 },
    { raftTerm: '2', remainingMs: 9_000 },
  ]
  const samples: LeaseSample[] = []
  const timeToLive = async () => {
    const { raftTerm, remainingMs } = answers[Math.min(samples.length, answers.length - 1)] as (typeof answers)[0]
    return { header: { raftTerm }, lease: { grantedMs: 10_000, remainingMs, keys: [] } }
  }
  const lookups = new LeaseLookups({
    etcd: { timeToLive } as unknown as LeasePort,
    clock: { nowMs: () => Date.now(), monoMs: () => Date.now() },
    endpoint: () => undefined,
    onSample: ({ sample }) => samples.push(sample),
    onDenied: () => {},
  })
  const stopping = new AbortController()
  lookups.want('a' as LeaseId, 1)
  const running = lookups.run(stopping.signal)
  await vi.advanceTimersByTimeAsync(6_000)
  stopping.abort()
  await running
  const [first, refilled, later, renewed] = samples
  expect(first).not.toHaveProperty('refilledAt')
  expect(refilled).toMatchObject({ refilledAt: refilled?.asOf, renewedAt: first?.renewedAt })
  expect(later).toMatchObject({ refilledAt: refilled?.asOf, renewedAt: first?.renewedAt })
  expect(renewed).not.toHaveProperty('refilledAt')
  expect(Date.parse(renewed?.renewedAt ?? '')).toBe(Date.parse(renewed?.asOf ?? '') - 1_000)
})

describe('the budget of look-ups', () => {
  it('goes to what is on a screen, then to leaders, then to next-ups', async () => {
    const next = Array.from({ length: 200 }, (_, at): [string, Rank] => [`next-${at}`, 2])
    const leaders = Array.from({ length: 20 }, (_, at): [string, Rank] => [`leader-${at}`, 1])
    const asked = await lookedUp([...next, ...leaders, ['seen', 0]]).stop(450)
    expect(asked[0]).toBe('seen')
    expect(asked.slice(1, 21).every((lease) => lease.startsWith('leader'))).toBe(true)
    expect(asked.slice(21).every((lease) => lease.startsWith('next'))).toBe(true)
  })

  it('is used whole, and is two hundred at most in any one second', async () => {
    vi.useFakeTimers()
    const { askedMs, stop } = lookedUp(many(6_000))
    await vi.advanceTimersByTimeAsync(10_000)
    await stop(0)
    expect(askedMs.length).toBeGreaterThanOrEqual(1_980)
    expect(busiestSecond(askedMs)).toBeLessThanOrEqual(200)
  })

  it('is not caught up on after the process stood still', async () => {
    vi.useFakeTimers()
    const { askedMs, stop, standStill } = lookedUp(many(6_000))
    await vi.advanceTimersByTimeAsync(1_500)
    standStill(5_000)
    await vi.advanceTimersByTimeAsync(3_000)
    await stop(0)
    expect(askedMs.length).toBeGreaterThanOrEqual(880)
    expect(askedMs.length).toBeLessThanOrEqual(920)
    expect(busiestSecond(askedMs)).toBeLessThanOrEqual(200)
  })

  it('is not saved up while nothing is due', async () => {
    vi.useFakeTimers()
    const { askedMs, lookups, stop } = lookedUp([])
    await vi.advanceTimersByTimeAsync(5_000)
    for (const [lease, rank] of many(1_000)) lookups.want(lease as LeaseId, rank)
    await vi.advanceTimersByTimeAsync(2_000)
    await stop(0)
    expect(busiestSecond(askedMs)).toBeLessThanOrEqual(200)
    expect(new Set(askedMs).size).toBeGreaterThan(30)
  })

  it('leaves alone what nobody wants any more', async () => {
    const { lookups, stop } = lookedUp([
      ['a', 1],
      ['b', 1],
    ])
    lookups.want('a' as LeaseId, null)
    expect(await stop(250)).toEqual(['b'])
  })
})
