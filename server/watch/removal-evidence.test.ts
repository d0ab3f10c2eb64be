import { expect, test } from 'vitest'
import { revision } from '../../lib/election/ids.ts'
import { EtcdError, type LeaseAnswer, type LeasePort } from '../../lib/election/ports.ts'
import type { LeaseId } from '../../lib/election/types.ts'
import { fromLatin1, latin1FromBase64 } from '../../lib/shared/bytes.ts'
import { instant } from '../../lib/shared/clock.ts'
import { term } from '../history/fixtures.ts'
import { AFTER_RESTART, causeFrom, type Finding, findCause } from './removal-evidence.ts'

const ENDED = instant(1_000_000)
const NOTHING = { earliestExpiry: null }

const finding = (alive: boolean, looked: Finding['looked']): Finding => ({
  alive,
  lease: '694d7b1f2c3a4e01' as LeaseId,
  revision: revision('59'),
  endedAt: ENDED,
  looked,
  proven: NOTHING,
})

const answer = (at: string, alive: boolean, keys: readonly Uint8Array[] = []): LeaseAnswer => ({
  header: { clusterId: '1', memberId: '1', revision: revision(at), raftTerm: '2' },
  lease: alive ? { grantedMs: 5_000, remainingMs: 4_000, keys } : null,
})
/** Of the leader of the first term. */
const KEY = fromLatin1(latin1FromBase64(term(1, 7, 0).leader.keyBase64))

/** Looks the end at revision 50 up; each answer in turn. */
async function look(answers: (LeaseAnswer | EtcdError)[], unseenMs = 0) {
  const asked: (string | undefined)[] = []
  const etcd = {
    timeToLive: async (_: LeaseId, { endpoint }: { endpoint?: string }) => {
      asked.push(endpoint)
      const next = answers.shift()
      if (next === undefined || next instanceof EtcdError) throw next ?? new Error('no more answers')
      return next
    },
  } as unknown as LeasePort
  const seen = { term: term(1, 7, 0, { to: ENDED }), revision: revision('50'), unseenMs }
  const context = { signal: new AbortController().signal, monoMs: () => performance.now(), endpoint: 'leader' }
  return { endedBy: await findCause(etcd, seen, NOTHING, context), asked }
}

test('a lease that is alive after the key went was not lost, however late the look-up', () => {
  expect(causeFrom(finding(true, { afterMs: 4_000, unseenMs: 0 }))).toEqual({
    cause: 'resigned or removed',
    evidence: 'key gone at revision 59, lease 694d7b1f2c3a4e01 still alive 4000 ms later',
  })
  expect(causeFrom(finding(true, { afterMs: 3, unseenMs: 20_000 })).evidence).toMatch(
    /still alive as late as 20.0 s later$/,
  )
})

test('a lease found gone at once was lost; found gone late, it may have ended for itself', () => {
  const found = (afterMs: number, unseenMs: number) => causeFrom(finding(false, { afterMs, unseenMs })).cause
  expect(found(12, 900)).toBe('lease lost')
  expect(found(12, 9_000)).toBe('unobserved')
  expect(found(6_100, 0)).toBe('unobserved')
})

test('after a restart only a lease that lives is proof', () => {
  expect(causeFrom(finding(true, AFTER_RESTART)).cause).toBe('resigned or removed')
  expect(causeFrom(finding(false, AFTER_RESTART))).toEqual({
    cause: 'unobserved',
    evidence:
      'key gone, lease 694d7b1f2c3a4e01 gone when looked up after a restart: nothing tells which of them went first',
  })
})

test('what etcd counted proves how the lease ended, unless it could not have expired yet or was looked up late', () => {
  const soon = { afterMs: 12, unseenMs: 0 }
  const proof = { cause: 'expired', words: 'all 2 leases that ended then expired' } as const
  expect(causeFrom(finding(false, soon), proof)).toEqual({
    cause: 'expired',
    evidence: 'key gone at revision 59, lease 694d7b1f2c3a4e01 gone 12 ms later; all 2 leases that ended then expired',
  })
  const early = { ...finding(false, soon), proven: { earliestExpiry: instant(1_008_000) } }
  expect(causeFrom(early, proof)).toMatchObject({
    cause: 'lease lost',
    evidence: expect.stringMatching(/8.0 s before/),
  })
  expect(causeFrom(finding(false, { afterMs: 12, unseenMs: 9_000 }), proof).cause).toBe('unobserved')
  expect(causeFrom(finding(true, soon), proof).cause).toBe('resigned or removed')
})

test('a deposed raft leader that answers for the time before the removal is not believed', async () => {
  const { endedBy, asked } = await look([answer('49', true), answer('51', false)])
  expect(endedBy?.cause).toBe('lease lost')
  expect(asked).toEqual(['leader', undefined])
})

test('three answers without proof are told as that, not as a look-up still to come', async () => {
  const trouble = new EtcdError('deadline', 'no answer', 'leader')
  expect((await look([answer('49', true), trouble, answer('49', true)])).endedBy).toEqual({
    cause: 'unobserved',
    evidence: 'key gone at revision 50; etcd did not say in time whether lease 694d7b1f2c3a4e01 is',
  })
})

test('a lease that a raft leader still takes for alive, before it has come to the removal, is not believed', async () => {
  const { endedBy } = await look([answer('51', true, [KEY]), answer('51', false)])
  expect(endedBy?.cause).toBe('lease lost')
})

test('a key that hangs on the lease to the last was put again', async () => {
  const { endedBy } = await look([answer('51', true, [KEY]), answer('51', true, [KEY]), answer('51', true, [KEY])])
  expect(endedBy?.cause).toBe('resigned or removed')
})

test('an account that may not see the keys of a lease looks twice before it believes that it lives', async () => {
  const denied = new EtcdError('denied', 'permission denied', 'leader')
  expect((await look([denied, answer('51', true), answer('51', false)])).endedBy?.cause).toBe('lease lost')
  expect((await look([denied, answer('51', true), answer('51', true)])).endedBy?.cause).toBe('resigned or removed')
  expect((await look([denied, denied])).endedBy?.evidence).toMatch(/may not look lease \w+ up/)
})
