import { expect, test } from 'vitest'
import { openElection, reduceElection } from './reducer.ts'
import { kindOf } from './status.ts'
import type { LeaseId, Revision, Term } from './types.ts'

const AT = '2026-03-12T03:00:00.000Z'
const key = {
  key: '/job/a',
  keyBase64: 'L2pvYi9h',
  identity: 'worker-a',
  valueBytes: 8,
  lease: '000000000000000a' as LeaseId,
}
const term: Term = {
  ordinal: 1,
  epoch: 0,
  token: '7' as Revision,
  leader: { identity: 'worker-a', key: '/job/a', keyBase64: 'L2pvYi9h', lease: null },
  from: '2026-03-12T02:00:00.000Z',
  fromAtLeast: false,
  to: '2026-03-12T02:30:00.000Z',
  gapMs: null,
  takeoverMs: null,
  silentMs: null,
  endedBy: { cause: 'lease lost', evidence: 'gone' },
}
const opened = {
  type: 'opened',
  at: AT,
  revision: '9' as Revision,
  live: true,
  layout: 'queue',
  prefix: '/job/',
  prefixBase64: 'L2pvYi8=',
  confirmed: true,
  foundBy: 'test',
  epoch: 0,
  keys: [],
} as const

test('an election without candidates is no mutex after a restart of Tenure', () => {
  const seed = { lastOrdinal: 1, openTerm: null, ended: [term], gaps: [], failovers: [] }
  expect(kindOf(openElection({ ...opened, seed }).state)).toBe('election')
  const mutex = { ...term, leader: { ...term.leader, identity: '' } }
  expect(kindOf(openElection({ ...opened, seed: { ...seed, ended: [mutex] } }).state)).toBe('mutex')
})

test('the silence of a leader counts from when it led, not from when it waited', () => {
  const put = { ...key, createRevision: '9' as Revision, modRevision: '9' as Revision, nested: false }
  const leads = openElection({ ...opened, keys: [put] }).state
  const sample = { grantedMs: 30_000, remainingMs: 20_000, asOf: AT, renewedAt: '2026-03-12T02:59:50.000Z' }
  const sampled = reduceElection(leads, { type: 'lease', lease: key.lease, sample }).state
  const gone = {
    type: 'revision',
    at: '2026-03-12T03:00:02.000Z',
    revision: '10' as Revision,
    puts: [],
    deletes: [key.keyBase64],
  } as const
  expect(reduceElection(sampled, gone).state.ended[0]).toMatchObject({ silentMs: 2_000 })
})
