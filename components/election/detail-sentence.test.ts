import { describe, expect, it } from 'vitest'
import { reduceElection } from '../../lib/election/reducer.ts'
import type { LeaseId } from '../../lib/election/types.ts'
import { later, open, put, sampled, step } from './detail-fixtures.ts'
import { type SentenceInput, sentence, spoken } from './detail-sentence.ts'

const a = put({ identity: 'worker-a', create: 1 })
const b = put({ identity: 'worker-b', create: 2 })
const c = put({ identity: 'worker-c', create: 3 })

function said(input: Partial<SentenceInput> & Pick<SentenceInput, 'state'>): string {
  const words = sentence({ name: 'payments/ledger-writer', now: later(60), frozen: null, worstMargin: null, ...input })
  return spoken(words).replaceAll('\u00a0', ' ')
}

describe('sentence', () => {
  it('says who leads, how long, on which lease and who is next', () => {
    const state = sampled(open({ keys: [a, b, c] }), a, 8_000, 60)
    expect(said({ state, worstMargin: 58.9 })).toBe(
      'payments/ledger-writer is led by worker-a for 1 m 00 s, term #1 (token 1). Lease of 10 s. 2 standbys; next is worker-b. Worst margin of this term 58 %.',
    )
    expect(said({ state, now: later(3_700), worstMargin: 58 })).toContain('Worst margin in the last hour 58 %')
  })

  it('says at least when the beginning was not seen', () => {
    expect(said({ state: open({ keys: [a, b], live: false }) })).toContain('is led by worker-a for at least 1 m 00 s')
  })

  it('does not claim a margin that was not measured', () => {
    expect(said({ state: open({ keys: [a, b] }) })).toContain('Its lease has not been looked up yet.')
  })

  it('warns when there is no standby', () => {
    expect(said({ state: open({ keys: [a] }) })).toContain('No standby: if this leader goes, nobody leads.')
  })

  it('warns when under a third of the lease was left', () => {
    const state = sampled(open({ keys: [a, b] }), a, 1_000, 59)
    expect(said({ state })).toContain('at the last look-up under a third was left')
  })

  it('says since when nobody leads, and who did', () => {
    const gone = step(open({ keys: [a] }), { at: 30, revision: 11, deletes: [a] }).state
    expect(said({ state: gone })).toBe(
      'payments/ledger-writer has no leader since 03:00:30 (30 s). Last led by worker-a, term #1: unobserved. The queue is empty.',
    )
  })

  it('does not claim that a seat never seen taken was lost', () => {
    expect(said({ state: open() })).toContain('no leader, and none was seen since Tenure first looked at 03:00:00')
  })

  it('names the older key of a nested election that blocks', () => {
    const nested = put({ identity: 'candA', create: 1, key: '/elections/payments/ledger-writer/a/9', nested: true })
    expect(said({ state: open({ keys: [nested, b] }) })).toBe(
      'payments/ledger-writer is blocked by older key /elections/payments/ledger-writer/a/9 of a nested election: etcd counts it in the queue, so nobody leads since 03:00:00 (1 m 00 s). When that key goes, worker-b leads.',
    )
  })

  it('says as of when, in the past tense, and why, while it is stale', () => {
    const state = open({ keys: [a, b] })
    const frozen = { at: later(46), why: 'no answer from any member.' }
    const text = said({ state, frozen })
    expect(text).toContain('As of 03:00:46 UTC (14 s ago) payments/ledger-writer was led by worker-a for 46 s')
    expect(text).toMatch(/Not live: no answer from any member\.$/)
  })

  it('says that nothing was proven when it never was live', () => {
    const text = said({ state: open({ keys: [a, b] }), frozen: { at: null, why: 'no member answers' } })
    expect(text).toMatch(/^Not observed yet; last known: /)
  })

  it('says why a look-alike is unconfirmed', () => {
    expect(said({ state: open({ keys: [a], confirmed: false }) })).toBe(
      'payments/ledger-writer looks like an election but is unconfirmed: found by keys named by their own lease id in hex. Its oldest key holds worker-a. It carries no actions until an admin confirms its kind.',
    )
  })

  it('calls a queue of empty values a mutex', () => {
    const state = open({ keys: [put({ identity: '', create: 1 }), put({ identity: '', create: 2 })] })
    expect(said({ state })).toBe(
      'payments/ledger-writer is a mutex, held on lease a1 for 1 m 00 s, term #1 (token 1). 1 candidate waits.',
    )
  })

  it('does not alarm over a free mutex', () => {
    const only = put({ identity: '', create: 1 })
    const state = step(open({ keys: [only] }), { at: 20, revision: 11, deletes: [only] }).state
    expect(said({ state })).toContain('is a mutex and free for 40 s. That is no fault')
  })

  it('says that a key without a lease never expires', () => {
    const state = open({ keys: [put({ identity: 'pg2', create: 1, lease: null, key: 'k' })], layout: 'single-key' })
    const text = said({ state })
    expect(text).toContain('Its key has no lease: it never expires, so nobody takes over when its process dies.')
    expect(text).toContain('its standbys leave no trace in etcd')
  })

  it('says when etcd denies the look-up', () => {
    const state = reduceElection(open({ keys: [a, b] }), { type: 'lease-denied', lease: 'a1' as LeaseId }).state
    expect(said({ state })).toContain('Its lease cannot be looked up: etcd denies it to this account.')
  })

  it('shows an empty identity as such', () => {
    const state = open({ keys: [put({ identity: '', create: 1 }), b] })
    expect(said({ state })).toContain('is led by (empty) for')
  })

  it('keeps tokens above 2^53 whole', () => {
    const state = open({ keys: [put({ identity: 'n', create: '9007199254740993', lease: '268c281fa4cb41a3' })] })
    expect(said({ state })).toContain('token 9,007,199,254,740,993')
  })

  it('counts the failovers of a flapping election', () => {
    let state = open({ keys: [a, b] })
    let keys = [a, b]
    for (let n = 0; n < 5; n += 1) {
      const [head, ...rest] = keys
      const next = put({ identity: `w${n}`, create: 20 + n })
      if (head === undefined) throw new Error('no head')
      state = step(state, { at: n, revision: 20 + n, puts: [next], deletes: [head], lost: true }).state
      keys = [...rest, next]
    }
    expect(said({ state })).toContain('5 failovers in the last hour.')
  })
})
