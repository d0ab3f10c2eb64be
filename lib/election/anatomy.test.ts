import { describe, expect, it } from 'vitest'
import { instant } from '../shared/clock.ts'
import type { KeyPut } from './changes.ts'
import { openElection, reduceElection } from './reducer.ts'
import { anatomyOf } from './terms.ts'
import type { ElectionState, LeaseId, LeaseSample, Revision, Term } from './types.ts'

const at = (seconds: number) => instant(Date.parse('2026-03-12T03:00:00Z') + seconds * 1_000)
const revision = (n: number) => `${n}` as Revision

function put(identity: string, created: number): KeyPut {
  const key = `/jobs/${identity}`
  const lease = identity as LeaseId
  const [createRevision, modRevision] = [revision(created), revision(created)]
  return { key, keyBase64: btoa(key), identity, valueBytes: 1, lease, createRevision, modRevision, nested: false }
}

const A = put('a', 2)
const B = put('b', 3)

/** a leads with a TTL of ten seconds, was looked up, and its key goes at `end`; b follows. */
function lostAt(end: number, sample: Partial<LeaseSample> | null): ElectionState {
  const opened = openElection({
    type: 'opened',
    at: at(0),
    revision: revision(3),
    live: true,
    layout: 'queue',
    prefix: '/jobs/',
    prefixBase64: btoa('/jobs/'),
    confirmed: true,
    foundBy: 'test',
    epoch: 0,
    keys: [A, B],
  }).state
  const ttl = { grantedMs: 10_000, remainingMs: 2_000, asOf: at(10), renewedAt: at(2), ...sample }
  const lease = 'a' as LeaseId
  const known = sample === null ? opened : reduceElection(opened, { type: 'lease', lease, sample: ttl }).state
  const gone = { type: 'revision', at: at(end), revision: revision(4), puts: [], deletes: [A.keyBase64] } as const
  const endedBy = { cause: 'lease lost', evidence: 'gone' } as const
  return reduceElection(reduceElection(known, gone).state, { type: 'cause', token: A.createRevision, endedBy }).state
}

const endedTerm = (state: ElectionState) => state.ended.at(-1) as Term
const anatomy = (state: ElectionState) => anatomyOf(state.term as Term, endedTerm(state))

describe('a refill by etcd (RC-11)', () => {
  it('is a part of its own: what the lease lasted beyond its TTL', () => {
    const state = lostAt(21, { remainingMs: 9_000, asOf: at(12), refilledAt: at(12) })
    expect(endedTerm(state)).toMatchObject({ silentMs: 19_000, refillMs: 9_000 })
    expect(anatomy(state)).toMatchObject({ detectMs: 10_000, refillMs: 9_000, detectErrorMs: 1_000, vacancyMs: 0 })
  })

  it('took no time where the lease was revoked before its TTL had passed', () => {
    const state = lostAt(8, { refilledAt: at(5) })
    expect(endedTerm(state)).toMatchObject({ silentMs: 6_000, refillMs: 0 })
  })

  it('is none where no raft leader change was seen: expiry alone may take etcd a moment longer', () => {
    expect(endedTerm(lostAt(12.6, {}))).toMatchObject({ silentMs: 10_600, refillMs: 0 })
  })

  it('is not known without a look-up', () => {
    const state = lostAt(12, null)
    expect(endedTerm(state)).not.toHaveProperty('refillMs')
    expect(anatomy(state)).toEqual({ detectMs: null, vacancyMs: 0, takeoverMs: null })
  })
})

describe('the error of detect', () => {
  it('is the second that look-ups round away, and never more than detect itself', () => {
    expect(anatomy(lostAt(12, {})).detectErrorMs).toBe(1_000)
    expect(anatomy(lostAt(2.4, {}))).toMatchObject({ detectMs: 400, detectErrorMs: 400 })
  })

  it('is none of a handoff, which has no detect', () => {
    const planned = { ...endedTerm(lostAt(12, {})), endedBy: { cause: 'handed off', evidence: '' } } as const
    expect(anatomyOf(planned, planned)).toEqual({ detectMs: null, vacancyMs: null, takeoverMs: null })
  })
})
