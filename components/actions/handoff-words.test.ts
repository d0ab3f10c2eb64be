import { expect, test } from 'vitest'
import type { HandoffPreflight, HandoffTarget, Operation, Phase } from '../../lib/election/actions.ts'
import type { LeaseId, Revision } from '../../lib/election/types.ts'
import { instant } from '../../lib/shared/clock.ts'
import {
  type Choice,
  conflictWords,
  effectWords,
  isSameSight,
  phaseOutcome,
  phaseTime,
  timelineText,
  verdictOf,
  whyDisabled,
} from './handoff-words.ts'

const rev = (n: number) => String(n) as Revision
const lease = '0000000000000001' as LeaseId
const target = (identity: string, more: Partial<HandoffTarget> = {}): HandoffTarget => ({
  ...{ identity, key: 'k', keyBase64: 'aw==', lease, createRevision: rev(2), place: 2, isLibrary: true },
  ...{ offered: true, why: '' },
  ...more,
})
const SEEN: HandoffPreflight = {
  ...{
    token: 't',
    validMs: 30_000,
    serverTime: instant(0),
    action: 'handoff',
    cluster: 'test',
    ref: 'q~a',
    name: 'job',
  },
  leader: { identity: 'b', key: 'k', keyBase64: 'aw==', lease, createRevision: rev(1), modRevision: rev(1) },
  term: { ordinal: 42, epoch: 0, token: rev(1) },
  ...{ readAt: rev(9), ttl: null, checks: [], refusal: null, defaultMethod: 'ask', targets: [target('c')] },
  methods: [
    { method: 'ask', offered: true, why: '' },
    { method: 'revoke-session', offered: true, why: '' },
    { method: 'remove-key', offered: false, why: 'not here' },
  ],
  ...{ leaseKeys: { total: 0, keys: [] }, overlapMs: 3_333, deadlineMs: 30_000, coolDown: null },
}
const CHOICE: Choice = {
  ...{ method: 'ask', target: target('c'), reason: 'drain', acknowledged: false, overridesNoStandby: false },
}

test('the button names the effect', () => {
  expect(effectWords(SEEN, CHOICE)).toBe('Hand off job from b to c')
  expect(effectWords(SEEN, { ...CHOICE, target: null })).toBe('Hand off job from b')
  expect(effectWords(SEEN, { ...CHOICE, method: 'revoke-session' })).toBe('Revoke b’s session on job')
  expect(effectWords(SEEN, { ...CHOICE, method: 'remove-key' })).toBe('Remove only b’s key from job')
})

test('it says why it is disabled, and is not when nothing stands in the way', () => {
  const why = (
    seen: Partial<HandoffPreflight>,
    choice: Partial<Choice> = {},
    role: 'operator' | 'admin' = 'operator',
  ) => whyDisabled({ ...SEEN, ...seen }, { ...CHOICE, ...choice }, role)
  expect(why({})).toBeNull()
  expect(why({}, { reason: ' \n' })).toContain('Say why')
  expect(why({}, { method: null })).toBe('Choose how.')
  expect(why({}, { method: 'remove-key' })).toBe('not here')
  expect(why({}, { target: target('d', { offered: false, why: 'behind a foreign one' }) })).toBe('behind a foreign one')
  const coolDown = { operation: 'op', by: 'Ann', at: instant(0), words: '' }
  expect(why({ coolDown })).toContain('Acknowledge')
  expect(why({ coolDown }, { acknowledged: true })).toBeNull()
  const refusal = { code: 'no-standby' as const, why: 'Nobody stands by.', fix: '' }
  expect(why({ refusal }, { overridesNoStandby: true })).toBe('Nobody stands by.')
  expect(why({ refusal }, {}, 'admin')).toBe('Nobody stands by.')
  expect(why({ refusal }, { overridesNoStandby: true }, 'admin')).toBeNull()
  const stale = { code: 'stale' as const, why: 'Stale.', fix: '' }
  expect(why({ refusal: stale }, { overridesNoStandby: true }, 'admin')).toBe('Stale.')
})

test('a new token is taken over only for the same key, lease and keys on it', () => {
  const other = (change: Partial<HandoffPreflight['leader']>, more: Partial<HandoffPreflight> = {}) =>
    isSameSight(SEEN, { ...SEEN, ...more, leader: { ...SEEN.leader, ...change } })
  expect(other({})).toBe(true)
  expect(other({ createRevision: rev(5) })).toBe(false)
  expect(other({ lease: null })).toBe(false)
  expect(other({}, { leaseKeys: { total: 1, keys: [{ key: 'x', keyBase64: 'eA==', election: null }] } })).toBe(false)
  expect(other({ modRevision: rev(7) })).toBe(true)
  const bound = { ...SEEN, action: 'remove-key' as const }
  expect(isSameSight(bound, { ...bound, leader: { ...SEEN.leader, modRevision: rev(7) } })).toBe(false)
  expect(conflictWords({ identity: 'c', ordinal: 43, token: '182377' })).toBe(
    'The leader changed while you read this: now c, #43. Nothing was sent.',
  )
})

const phase = (name: Phase['name'], known: Phase['known'], ms: number | null): Phase => ({
  ...{ name, known, at: ms === null ? null : instant(ms), evidence: `${name} evidence` },
})
const operation = (phases: Phase[], outcome: Operation['outcome'], more: Partial<Operation> = {}): Operation => ({
  ...{
    id: 'op-1',
    verb: 'handoff',
    cluster: 'test',
    ref: 'q~a',
    by: 'Ann',
    reason: 'drain',
    at: instant(0),
    warnings: [],
  },
  ...{ phases, outcome },
  handoff: {
    ...{ method: 'ask', from: { identity: 'b', keyBase64: 'aw==', token: rev(1) }, to: null, acknowledges: true },
    ...{ successor: { identity: 'c', keyBase64: 'aw==', token: rev(182_377) }, overlapMs: null, deadlineMs: 30_000 },
  },
  ...more,
})
const done = { is: 'verified', words: 'c leads', revision: rev(9) } as const
const ALL = [phase('requested', 'etcd', 0), phase('released', 'etcd', 860), phase('elected', 'etcd', 900)]

test('nothing is said that was not observed', () => {
  const waiting = operation([...ALL, phase('acknowledged', 'not yet', null)], done)
  expect(verdictOf(waiting, instant(1_000))).toEqual({
    ...{ strong: 'c leads with token 182,377.', doubt: 'b has not confirmed that it stopped.', tone: 'warn' },
  })
  expect(waiting.phases.map((each) => [phaseTime(waiting, each, instant(3_000)), phaseOutcome(each, waiting)])).toEqual(
    [
      ['0.00 s', 'Verified in etcd'],
      ['+0.86 s', 'Verified in etcd'],
      ['+0.90 s', 'Verified in etcd'],
      ['–', 'Unknown so far'],
    ],
  )
  const { handoff } = waiting
  const forced = {
    ...waiting,
    ...(handoff && { handoff: { ...handoff, method: 'revoke-session', overlapMs: 3_333 } }),
  } as Operation
  const last = forced.phases[3] as Phase
  expect(phaseTime(forced, last, instant(3_060))).toBe('2.2 of 3.3 s')
  expect(phaseTime(forced, last, instant(60_000))).toBe('3.3 of 3.3 s')
  const acknowledged = operation([...ALL, phase('acknowledged', 'reported', 950)], done)
  expect(verdictOf(acknowledged, instant(1_000))).toMatchObject({ doubt: '', tone: 'ok' })
  expect(phaseOutcome(acknowledged.phases[3] as Phase, acknowledged)).toBe('Reported by b')
  const unknown = operation(ALL.slice(0, 1), { is: 'unknown', words: '', revision: null })
  expect(verdictOf(unknown, instant(0))).toMatchObject({
    strong: '',
    tone: 'warn',
    doubt: expect.stringContaining('Unknown'),
  })
  const failed = operation([phase('released', 'not yet', null)], {
    is: 'failed',
    words: 'b stays leader.',
    revision: null,
  })
  expect(verdictOf(failed, instant(0))).toMatchObject({ strong: 'b stays leader.', tone: 'crit' })
  expect(phaseOutcome(failed.phases[0] as Phase, failed)).toBe('Not reached')
})

test('while the leader drains, it says how long it has left', () => {
  const asked = operation([phase('requested', 'etcd', 0)], null)
  expect(verdictOf(asked, instant(10_000)).doubt).toBe('It has 20.0 s left; then it stays leader.')
  const drains = operation([phase('requested', 'etcd', 0), phase('draining', 'reported', 100)], null)
  expect(verdictOf(drains, instant(31_000))).toMatchObject({
    strong: 'b drains.',
    doubt: expect.stringContaining('over'),
  })
})

test('a lone candidate that wins again is re-elected', () => {
  const again = operation(ALL, done)
  const handoff = {
    ...again.handoff,
    successor: { identity: 'b', keyBase64: 'aw==', token: rev(9) },
  } as Operation['handoff']
  expect(verdictOf({ ...again, ...(handoff ? { handoff } : {}) }, instant(0)).strong).toBe(
    'Re-elected: b, same identity, new term with token 9.',
  )
})

test('the timeline is text for a ticket', () => {
  expect(timelineText(operation(ALL, done, { warnings: ['b may still act.'] }), 'Handed off job')).toBe(
    [
      'Handed off job, operation op-1',
      '1970-01-01T00:00:00.000Z by Ann: drain',
      '0.00 s  Requested  requested evidence  (Verified in etcd)',
      '+0.86 s  Released  released evidence  (Verified in etcd)',
      '+0.90 s  Successor elected  elected evidence  (Verified in etcd)',
      'Outcome: verified: c leads',
      'b may still act.',
    ].join('\n'),
  )
})
