import { describe, expect, it } from 'vitest'
import { changeWords } from './change-words.ts'
import { explain, statusDetail } from './explain.ts'
import { at, cause, having, opened, put, step } from './fixture.ts'

const a = put('worker-a', 10)
const b = put('worker-b', 20)
const seen = { probeP95Ms: 5, frozenAt: null }
const lost = { cause: 'lease lost', evidence: 'test' } as const

describe('why an election has its status', () => {
  it('says who was lost and when, and that nobody waits', () => {
    const state = having(opened([a]), step(200, 30, [], [a]), cause(a, lost))
    expect(explain(state, 'leaderless', seen, at(31))).toBe(
      'worker-a lost its lease at 03:30:00 and nobody is waiting to take over.',
    )
    expect(statusDetail(state, 'leaderless', at(31))).toBe('1 m')
  })

  it('claims no cause while it is still being established', () => {
    const state = having(opened([a]), step(200, 30, [], [a]))
    expect(explain(state, 'leaderless', seen, at(31))).toContain('worker-a was gone at 03:30:00')
    expect(changeWords(state)).toMatchObject({ title: 'Seat freed, cause open', who: 'was worker-a' })
  })

  it('names the older key that keeps everybody from leading', () => {
    const blocker = put('deep', 5, { key: '/e/job/inner/5', nested: true })
    expect(explain(opened([blocker, a]), 'leaderless', seen, at(1))).toBe(
      'The older key /e/job/inner/5 stands first in the queue, so nobody can lead.',
    )
  })

  it('counts how often two candidates trade places from the failovers that were seen', () => {
    let state = opened([a, b])
    const turns = [a, b, put('worker-a', 30), put('worker-b', 40), put('worker-a', 50), put('worker-b', 60)]
    turns.forEach((gone, turn) => {
      const next = turns[turn + 2]
      state = having(state, step(200 + turn, 10 + turn, next ? [next] : [], [gone]), cause(gone, lost))
    })
    expect(explain(state, 'flapping', seen, at(20))).toBe(
      'worker-a and worker-b trade places about every 1 m. Probe p95 is 5.0 ms.',
    )
  })

  it('tells what was seen last where nothing is known', () => {
    const state = opened([a, b])
    const frozen = { ...seen, frozenAt: at(5) }
    expect(explain(state, 'unknown', frozen, at(9))).toBe('As of 03:05:00: worker-a led, term #1.')
  })

  it('calls a candidate without a name by the end of its key', () => {
    expect(explain(opened([put('', 10)]), 'no-standby', seen, at(1))).toContain('…/a leads alone')
  })
})
