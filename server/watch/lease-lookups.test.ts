import { describe, expect, it } from 'vitest'
import type { LeaseAnswer, LeasePort } from '../../lib/election/ports.ts'
import type { LeaseId } from '../../lib/election/types.ts'
import { LeaseLookups, type Rank } from './lease-lookups.ts'

const answer: LeaseAnswer = {
  header: { raftTerm: '1' },
  lease: { grantedMs: 60_000, remainingMs: 30_000, keys: [] },
} as never

/** Look-ups that run against an etcd which answers at once. */
function lookedUp(wanted: readonly [string, Rank][]) {
  const asked: string[] = []
  const clock = { nowMs: () => 1_000_000 + performance.now(), monoMs: () => performance.now() }
  const timeToLive = async (lease: LeaseId) => {
    asked.push(lease)
    return answer
  }
  const etcd = { timeToLive } as unknown as LeasePort
  const lookups = new LeaseLookups({ etcd, clock, endpoint: () => undefined, onSample: () => {}, onDenied: () => {} })
  for (const [lease, rank] of wanted) lookups.want(lease as LeaseId, rank)
  const stopping = new AbortController()
  const running = lookups.run(stopping.signal)
  return {
    asked,
    lookups,
    stop: async (afterMs: number) => {
      await new Promise((resolve) => setTimeout(resolve, afterMs))
      stopping.abort()
      await running
      return asked
    },
  }
}

describe('the budget of look-ups', () => {
  it('goes to what is on a screen, then to leaders, then to next-ups', async () => {
    const next = Array.from({ length: 200 }, (_, at): [string, Rank] => [`next-${at}`, 2])
    const leaders = Array.from({ length: 20 }, (_, at): [string, Rank] => [`leader-${at}`, 1])
    const asked = await lookedUp([...next, ...leaders, ['seen', 0]]).stop(450)
    expect(asked[0]).toBe('seen')
    expect(asked.slice(1, 21).every((lease) => lease.startsWith('leader'))).toBe(true)
    expect(asked.slice(21).every((lease) => lease.startsWith('next'))).toBe(true)
  })

  it('is two hundred a second at most', async () => {
    const many = Array.from({ length: 1_000 }, (_, at): [string, Rank] => [`lease-${at}`, 1])
    const startedMs = performance.now()
    const asked = await lookedUp(many).stop(1_000)
    expect(asked.length).toBeGreaterThan(50)
    expect(asked.length).toBeLessThanOrEqual(((performance.now() - startedMs) / 1_000) * 200 + 1)
    expect(new Set(asked).size).toBe(asked.length)
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
