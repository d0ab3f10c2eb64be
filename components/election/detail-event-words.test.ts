import { describe, expect, it } from 'vitest'
import type { Fact } from '../../lib/election/changes.ts'
import { reduceElection } from '../../lib/election/reducer.ts'
import { eventLines } from './detail-event-words.ts'
import { later, open, put, revision, step } from './detail-fixtures.ts'

const texts = (facts: readonly Fact[], layout: 'queue' | 'single-key' = 'queue') =>
  eventLines(facts, layout).map(({ text }) => text)

describe('eventLines', () => {
  it('tells that a leader key lost its lease as a change of value, not as the end of a term', () => {
    const pg1 = put({ identity: 'pg1', create: 5, lease: 'abc', key: '/service/pgA/leader' })
    const pg2 = put({ identity: 'pg2', create: 5, mod: 12, lease: null, key: '/service/pgA/leader' })
    const { facts } = step(open({ keys: [pg1], layout: 'single-key' }), { at: 20, revision: 12, puts: [pg2] })
    expect(texts(facts, 'single-key')).toEqual(['value changed pg1 → pg2 and lease detached'])
  })

  it('says proclaimed in a queue', () => {
    const a = put({ identity: 'a', create: 5 })
    const again = put({ identity: 'b', create: 5, mod: 12 })
    const { facts } = step(open({ keys: [a] }), { at: 20, revision: 12, puts: [again] })
    expect(texts(facts)).toEqual(['proclaimed a → b'])
  })

  it('tells joins, leaves and terms', () => {
    const a = put({ identity: 'a', create: 5 })
    const b = put({ identity: '', create: 12 })
    const joined = step(open({ keys: [a] }), { at: 20, revision: 12, puts: [b] })
    const left = step(joined.state, { at: 30, revision: 13, deletes: [a] })
    expect(texts(joined.facts)).toEqual(['(empty) joined the queue'])
    expect(texts(left.facts)).not.toContain('a left the queue')
    expect(texts(left.facts)).toContain('a lost the lead: #1 ended, unobserved')
    expect(texts(left.facts)).toContain('(empty) leads: #2, token 12, 0 ms after the one before')
  })

  it('tells the end of a term once, with the cause that was established later', () => {
    const a = put({ identity: 'a', create: 5 })
    const gone = step(open({ keys: [a] }), { at: 30, revision: 13, deletes: [a] })
    const why = reduceElection(gone.state, {
      type: 'cause',
      token: revision(5),
      endedBy: { cause: 'expired', evidence: 'proven by look-ups' },
    })
    expect(texts([...why.facts, ...gone.facts])).toEqual(['a lost the lead: #1 ended, expired'])
    expect(texts(why.facts)).toEqual(['a lost the lead: #1 ended, expired'])
  })

  it('does not say that a leader found at the first look took over then', () => {
    const fact: Fact = {
      type: 'term-started',
      at: later(0),
      revision: revision(10),
      term: open({ keys: [put({ identity: 'a', create: 5 })], live: false }).term as never,
    }
    expect(texts([fact])).toEqual(['found a leading: #1, token 5'])
  })

  it('tells what a gap hides', () => {
    const a = put({ identity: 'a', create: 5 })
    const gap = { from: '2026-03-12T03:01:10.000Z', to: '2026-03-12T03:01:24.000Z', reason: 'compacted' }
    const same = reduceElection(open({ keys: [a] }), {
      type: 'relisted',
      at: gap.to,
      revision: revision(20),
      keys: [a],
      gap,
    })
    const other = reduceElection(open({ keys: [a] }), {
      type: 'relisted',
      at: gap.to,
      revision: revision(20),
      keys: [put({ identity: 'b', create: 7 })],
      gap,
    })
    expect(texts(same.facts)).toEqual(['unobserved 03:01:10–03:01:24, the term did not change'])
    expect(texts(other.facts)).toContain('unobserved 03:01:10–03:01:24, at least one change')
  })

  it('puts the newest first', () => {
    const fact = (at: number): Fact => ({ type: 'blocked', at: later(at), revision: revision(at), key: `k${at}` })
    expect(eventLines([fact(1), fact(3), fact(2)], 'queue').map(({ at }) => at)).toEqual([later(3), later(2), later(1)])
  })
})
