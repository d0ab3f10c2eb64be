/** What every `History` says of a moment of the past. */
import { describe, expect, it } from 'vitest'
import type { QueueChange } from '../../lib/election/candidacies.ts'
import type { Candidate, ElectionState, LeaseId } from '../../lib/election/types.ts'
import { at, CLUSTER, election, ended, LOST, revision, started, term, type With } from './fixtures.ts'
import type { History } from './history.ts'

const JOBS = election()
const MAILS = election('mails')

function candidate(create: number, since: number, part: Partial<Candidate> = {}): Candidate {
  const lease = `694d7b1f2c3a${String(create).padStart(4, '0')}` as LeaseId
  const key = `/jobs/${lease}`
  return {
    identity: `worker-${create}`,
    valueBytes: 8,
    key,
    keyBase64: btoa(key),
    lease,
    createRevision: revision(create),
    modRevision: revision(create),
    since: at(since),
    sinceAtLeast: false,
    nested: false,
    ttl: null,
    ...part,
  }
}

function joined(seconds: number, stand: readonly Candidate[], part: Partial<QueueChange> = {}): QueueChange {
  return { at: at(seconds), epoch: 0, whole: false, stand, left: [], ...part }
}

const left = (seconds: number, ...gone: Candidate[]) =>
  joined(seconds, [], { left: gone.map(({ keyBase64 }) => keyBase64) })
const listed = (seconds: number, stand: readonly Candidate[]) => joined(seconds, stand, { whole: true })

const A = candidate(100, 1)
const B = candidate(101, 2)
const C = candidate(102, 3)
const FIRST = { ...term(1, 100, 1), leader: leaderOf(A) }

function leaderOf({ identity, key, keyBase64, lease }: Candidate) {
  return { identity, key, keyBase64, lease }
}

function alive(history: History, seconds: number): void {
  history.alive(CLUSTER, { at: at(seconds), epoch: 0, revision: revision(200) })
}

/** A leads from 1 to 10; B then; C waits from 3 to 20. */
function handover(history: History): void {
  alive(history, 0)
  history.record(CLUSTER, JOBS, [started(FIRST)], joined(1, [A]))
  history.record(CLUSTER, JOBS, [], joined(2, [B]))
  history.record(CLUSTER, JOBS, [], joined(3, [C]))
  const over = { ...FIRST, to: at(10), endedBy: LOST }
  const second = { ...term(2, 101, 10, { gapMs: 0 }), leader: leaderOf(B) }
  history.record(CLUSTER, JOBS, [ended(over), started(second)], left(10, A))
  history.record(CLUSTER, JOBS, [], left(20, C))
  alive(history, 60)
}

const jobsAt = async (history: History, seconds: number): Promise<ElectionState | undefined> =>
  (await history.past(CLUSTER, at(seconds))).elections.find(({ ref }) => ref === JOBS.ref)
const queueAt = async (history: History, seconds: number) =>
  (await jobsAt(history, seconds))?.candidates.map(({ identity }) => identity)

export function pastContract(withHistory: With): void {
  describe('the past', () => {
    it(
      'shows who led and who waited, in the order of the queue',
      withHistory(async ({ history }) => {
        handover(history)
        expect(await jobsAt(history, 5)).toEqual({
          ...JOBS,
          epoch: 0,
          revision: '102',
          candidates: [A, B, C],
          term: FIRST,
          ended: [],
          gaps: [],
          failovers: [],
          leaderlessSince: null,
          lastOrdinal: 1,
          valuesEmpty: false,
          claims: [],
        })
        expect(await jobsAt(history, 10)).toMatchObject({
          candidates: [B, C],
          term: { ordinal: 2, token: '101', to: null },
          ended: [{ ordinal: 1, to: at(10), endedBy: LOST }],
          failovers: [at(10)],
        })
        expect(await queueAt(history, 20)).toEqual(['worker-101'])
        expect(await jobsAt(history, 0.5)).toBeUndefined()
      }),
    )

    it(
      'shows a leader under the value and the lease it had then',
      withHistory(async ({ history }) => {
        handover(history)
        const renamed = { ...B, identity: 'ready', lease: 'aaaa000000000001' as LeaseId, modRevision: revision(150) }
        history.record(CLUSTER, JOBS, [], joined(30, [renamed]))
        history.recordTerm(CLUSTER, JOBS, { ...term(2, 101, 10), leader: leaderOf(renamed) })
        expect((await jobsAt(history, 25))?.term?.leader.identity).toBe('worker-101')
        expect(await queueAt(history, 25)).toEqual(['worker-101'])
        expect((await jobsAt(history, 30))?.term?.leader).toEqual(leaderOf(renamed))
        expect((await jobsAt(history, 30))?.candidates).toEqual([renamed])
      }),
    )

    it(
      'says since when it knows, and nothing of the time before',
      withHistory(async ({ history }) => {
        const nothing = { epoch: 0, elections: [], gaps: [], unseen: null, stops: [] }
        expect(await history.past(CLUSTER, at(5))).toEqual({ keptSince: null, ...nothing })
        handover(history)
        expect(await history.past(CLUSTER, at(-1))).toEqual({ keptSince: at(0), ...nothing })
        expect((await history.past(CLUSTER, at(0))).elections).toEqual([])
      }),
    )

    it(
      'calls a moment unseen inside a gap, and after the last proof',
      withHistory(async ({ history }) => {
        handover(history)
        history.recordGap(CLUSTER, { from: at(12), to: at(18), reason: 'no answer' })
        expect((await history.past(CLUSTER, at(11))).unseen).toBeNull()
        const within = await history.past(CLUSTER, at(14))
        expect(within.unseen).toEqual({ from: at(12), to: at(18), reason: 'no answer' })
        expect(within.gaps).toEqual([{ from: at(12), to: at(14), reason: 'no answer' }])
        expect((await history.past(CLUSTER, at(18))).unseen).toBeNull()
        expect((await history.past(CLUSTER, at(64))).unseen).toBeNull()
        expect((await history.past(CLUSTER, at(66))).unseen).toEqual({
          from: at(60),
          to: at(66),
          reason: 'not confirmed',
        })
      }),
    )

    it(
      'takes a listing as all there is: who is not in it left unseen, who goes on is there once',
      withHistory(async ({ history, restart }) => {
        handover(history)
        history.record(CLUSTER, JOBS, [], joined(21, [C]))
        await history.flush()
        const again = await restart()
        again.record(CLUSTER, JOBS, [], listed(40, [B, candidate(103, 40, { sinceAtLeast: true })]))
        expect(await queueAt(again, 39)).toEqual(['worker-101', 'worker-102'])
        expect(await queueAt(again, 40)).toEqual(['worker-101', 'worker-103'])
        again.record(CLUSTER, JOBS, [], listed(41, []))
        expect(await queueAt(again, 40)).toEqual(['worker-101', 'worker-103'])
        expect(await queueAt(again, 41)).toEqual([])
      }),
    )

    it(
      'remembers whoever stood in a queue, however long nothing happened there: at the next start they may be gone',
      withHistory(async ({ history, restart }) => {
        alive(history, 0)
        history.record(CLUSTER, JOBS, [], listed(1, [candidate(100, 1, { nested: true })]))
        await history.flush()
        const again = await restart()
        const days = 3 * 24 * 3_600
        expect((await again.load(CLUSTER, at(days))).elections.map(({ ref }) => ref)).toEqual([JOBS.ref])
        again.record(CLUSTER, JOBS, [], listed(days, []))
        await again.flush()
        const third = await restart()
        expect((await third.load(CLUSTER, at(2 * days))).elections).toEqual([])
      }),
    )

    it(
      'takes a queue of more than one piece as one',
      withHistory(async ({ history }) => {
        alive(history, 0)
        const many = Array.from({ length: 1_203 }, (_, n) => candidate(1_000 + n, 1))
        history.record(CLUSTER, JOBS, [], listed(1, many))
        const others = many.filter((_, n) => n % 400 !== 3)
        history.record(CLUSTER, JOBS, [], listed(2, others))
        expect((await jobsAt(history, 1))?.candidates).toEqual(many)
        expect((await jobsAt(history, 2))?.candidates).toEqual(others)
      }),
    )

    it(
      'knows the epoch of the time: a queue of another store has replaced the one before',
      withHistory(async ({ history }) => {
        handover(history)
        const over = { ...term(2, 101, 10), to: at(50), endedBy: LOST, leader: leaderOf(B) }
        const fresh = { ...term(3, 101, 50), epoch: 1, leader: leaderOf(B) }
        history.record(CLUSTER, JOBS, [ended(over), started(fresh)], { ...listed(50, [B]), epoch: 1 })
        const before = await history.past(CLUSTER, at(49))
        expect([before.epoch, before.elections[0]?.epoch, before.elections[0]?.term?.ordinal]).toEqual([0, 0, 2])
        const after = await history.past(CLUSTER, at(50))
        expect([after.epoch, after.elections[0]?.epoch, after.elections[0]?.term?.ordinal]).toEqual([1, 1, 3])
        expect(after.elections[0]?.candidates).toHaveLength(1)
      }),
    )

    it(
      'shows stops that held then as holding, and an election that has been empty for a day no more',
      withHistory(async ({ history }) => {
        handover(history)
        const scope = { scope: '/jobs/', scopeBase64: btoa('/jobs/'), match: 'exact' as const, nonce: 'n', by: 'ann' }
        const over = { ...scope, reason: 'x', from: at(5), to: at(9), ended: 'released' as const, endedBy: 'ben' }
        history.recordStops(CLUSTER, [over])
        expect((await history.past(CLUSTER, at(4))).stops).toEqual([])
        expect((await history.past(CLUSTER, at(6))).stops).toEqual([{ ...over, to: null, ended: null, endedBy: null }])
        expect((await history.past(CLUSTER, at(9))).stops).toEqual([over])
        history.record(CLUSTER, JOBS, [ended({ ...term(2, 101, 10), to: at(30), endedBy: LOST })], left(30, B))
        const day = 24 * 3_600
        alive(history, day + 60)
        expect(await jobsAt(history, day + 29)).toMatchObject({ candidates: [], term: null, leaderlessSince: at(30) })
        expect(await jobsAt(history, day + 31)).toBeUndefined()
      }),
    )
  })

  stepsContract(withHistory)
}

function stepsContract(withHistory: With): void {
  describe('steps from change to change', () => {
    it(
      'halt at what changed who leads or who waits, of one election or of all',
      withHistory(async ({ history }) => {
        handover(history)
        const other = term(1, 104, 4)
        history.record(CLUSTER, MAILS, [started(other)], joined(4, [candidate(104, 4)]))
        history.recordGap(CLUSTER, { from: at(12), to: at(18), reason: 'no answer' })
        const step = async (seconds: number, direction: 'next' | 'previous', ref?: typeof JOBS.ref) =>
          history.beside({ cluster: CLUSTER, at: at(seconds), direction, ...(ref ? { ref } : {}) })
        expect(await step(0, 'next')).toMatchObject({ at: at(1), changes: [{ ref: JOBS.ref }] })
        expect((await step(1, 'next'))?.at).toBe(at(4))
        expect((await step(1, 'next', JOBS.ref))?.at).toBe(at(10))
        expect((await step(1, 'next', JOBS.ref))?.changes.map(({ type }) => type)).toEqual(['election', 'election'])
        expect(await step(10, 'next', JOBS.ref)).toMatchObject({ at: at(12), changes: [{ type: 'gap-began' }] })
        expect(await step(12, 'next')).toMatchObject({ at: at(18), changes: [{ type: 'gap-ended' }] })
        expect(await step(18, 'next')).toBeNull()
        expect((await step(15, 'previous'))?.at).toBe(at(12))
        expect((await step(4, 'previous', MAILS.ref))?.at).toBeUndefined()
        expect(await history.beside({ cluster: 'another', at: at(0), direction: 'next' })).toBeNull()
      }),
    )
  })
}
