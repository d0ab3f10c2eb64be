import { describe, expect, it } from 'vitest'
import { later, open, put, revision, step, term } from './detail-fixtures.ts'
import { mergeGaps, mergeTerms } from './detail-merge.ts'

const ordinals = (terms: readonly { ordinal: number }[]) => terms.map(({ ordinal }) => ordinal)

describe('mergeTerms', () => {
  it('shows a handover before history knows of it', () => {
    const a = put({ identity: 'a', create: 1 })
    const b = put({ identity: 'b', create: 2 })
    const state = step(open({ keys: [a, b] }), { at: 30, revision: 11, deletes: [a] }).state
    const stale = mergeTerms(open({ keys: [a, b] }), [])
    const merged = mergeTerms(state, stale)
    expect(merged.map(({ leader, to }) => [leader.identity, to])).toEqual([
      ['b', null],
      ['a', later(30)],
    ])
  })

  it('takes each term once, by epoch and token, newest first', () => {
    const live = { term: term(3, { to: null, endedBy: null }), ended: [term(2)] }
    expect(ordinals(mergeTerms(live, [term(2), term(1)]))).toEqual([3, 2, 1])
  })

  it('keeps what people said, which the live copy does not know', () => {
    const said = { note: null, noteVersion: '3', noteVersions: 2, acknowledged: { at: later(9), by: 'ada' } }
    const [merged] = mergeTerms({ term: null, ended: [term(1)] }, [{ ...term(1), ...said }])
    expect(merged).toMatchObject(said)
  })

  it('orders tokens of 19 digits and epochs by value', () => {
    const past = [
      term(1, { token: revision('999') }),
      term(2, { token: revision('9007199254740993') }),
      term(3, { token: revision('5'), epoch: 1 }),
    ]
    expect(ordinals(mergeTerms({ term: null, ended: [] }, past))).toEqual([3, 2, 1])
  })

  it('never lets a late answer repaint what is known better', () => {
    const pending = { cause: 'unobserved' as const, evidence: 'key gone; its lease has not been looked up yet' }
    const live = { term: null, ended: [term(1)] }
    const late = [term(1, { endedBy: pending })]
    expect(mergeTerms(live, late)[0]?.endedBy?.cause).toBe('lease lost')
    expect(mergeTerms({ term: null, ended: late }, [term(1)])[0]?.endedBy?.cause).toBe('lease lost')
    const reopened = [term(1, { to: null, endedBy: null })]
    expect(mergeTerms(live, reopened)[0]?.to).toBe(later(190))
  })

  it('leaves out a term that history calls open although a later one is known', () => {
    const live = { term: term(3, { to: null, endedBy: null }), ended: [] }
    expect(ordinals(mergeTerms(live, [term(2, { to: null, endedBy: null })]))).toEqual([3])
  })

  it('leaves out an open term of history when nobody leads', () => {
    expect(mergeTerms({ term: null, ended: [] }, [term(2, { to: null, endedBy: null })])).toEqual([])
  })

  it('gives the anatomy of a change only where both terms are known', () => {
    const terms = mergeTerms({ term: null, ended: [term(1), term(2), term(4)] }, [])
    expect(terms.map(({ anatomy }) => anatomy !== undefined)).toEqual([false, true, false])
    expect(terms[1]?.anatomy).toEqual({ detectMs: null, vacancyMs: 10_000, takeoverMs: null })
  })
})

describe('mergeGaps', () => {
  it('takes a gap of both sources once, at its longest', () => {
    const short = { from: later(1), to: later(2), reason: 'r' }
    const long = { from: later(1), to: later(5), reason: 'r' }
    const other = { from: later(0), to: later(1), reason: 's' }
    expect(mergeGaps([short], [long, other])).toEqual([other, long])
  })
})
