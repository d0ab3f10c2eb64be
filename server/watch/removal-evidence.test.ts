import { expect, test } from 'vitest'
import { revision } from '../../lib/election/ids.ts'
import { EtcdError, type LeaseAnswer, type LeasePort } from '../../lib/election/ports.ts'
import type { LeaseId } from '../../lib/election/types.ts'
import { fromLatin1, latin1FromBase64 } from '../../lib/shared/bytes.ts'
import { instant } from '../../lib/shared/clock.ts'
import { term } from '../history/fixtures.ts'
import { AFTER_RESTART, causeFrom, findCause } from './removal-evidence.ts'

const ENDED = instant(1_000_000)
const NOTHING = { earliestExpiry: null }

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
  expect(causeFrom(true, ENDED, { afterMs: 3, unseenMs: 20_000 }, NOTHING)).toEqual({
    cause: 'resigned or removed',
    evidence: 'its lease is alive, looked up as late as 20.0 s after the key went',
  })
})

test('a lease found gone at once was lost; found gone late, it may have ended for itself', () => {
  const found = (afterMs: number, unseenMs: number) => causeFrom(false, ENDED, { afterMs, unseenMs }, NOTHING).cause
  expect(found(12, 900)).toBe('lease lost')
  expect(found(12, 9_000)).toBe('unobserved')
  expect(found(6_100, 0)).toBe('unobserved')
})

test('after a restart only a lease that lives is proof', () => {
  expect(causeFrom(true, ENDED, AFTER_RESTART, NOTHING).cause).toBe('resigned or removed')
  expect(causeFrom(false, ENDED, AFTER_RESTART, NOTHING)).toEqual({
    cause: 'unobserved',
    evidence: 'its lease is gone, looked up after a restart: nothing tells which of them went first',
  })
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
    evidence: 'the key is gone; etcd did not say in time whether its lease is',
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
  expect((await look([denied, denied])).endedBy?.evidence).toContain('may not look its lease up')
})
