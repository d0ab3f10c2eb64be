/** What every `History` does with changes of leader over all elections. */
import { describe, expect, it } from 'vitest'
import type { Term } from '../../lib/election/types.ts'
import { msOf } from '../../lib/shared/clock.ts'
import { at, CLUSTER, election, ended, endedTerms, LOST, RESIGNED, started, term, type With } from './fixtures.ts'
import { type History, InvalidCursor, type TransitionRowQuery } from './history.ts'

const JOBS = election('jobs')
const MAIL = election('mail')
const RANGE = { cluster: CLUSTER, from: at(0), to: at(1_000) }

function keep(history: History, identity: typeof JOBS, terms: readonly Term[]): void {
  for (const each of terms) history.record(CLUSTER, identity, each.to === null ? [started(each)] : [ended(each)])
}

const tokensOf = async (history: History, query: Partial<TransitionRowQuery> = {}) =>
  (await history.transitionRows({ ...RANGE, limit: 100, ...query })).rows.map(({ term: { token } }) => token)

export function transitionsContract(withHistory: With): void {
  describe('transitions', () => {
    it(
      'tells each end with what followed, oldest first over all elections',
      withHistory(async ({ history }) => {
        keep(history, JOBS, [
          term(1, 7, 0, { to: at(20), endedBy: LOST, silentMs: 8_000 }),
          term(2, 9, 21, { gapMs: 1_000, takeoverMs: 300 }),
        ])
        keep(history, MAIL, [term(1, 8, 0, { to: at(10), endedBy: { ...LOST, duringStop: true }, silentMs: 9_000 })])
        const { transitions } = await history.transitions(RANGE)
        expect(transitions).toEqual([
          {
            ref: MAIL.ref,
            atMs: msOf(at(10)),
            nextMs: null,
            cause: 'lease lost',
            kind: 'planned',
            detectMs: null,
            refillMs: null,
            vacancyMs: null,
            takeoverMs: null,
            totalMs: null,
          },
          {
            ref: JOBS.ref,
            atMs: msOf(at(20)),
            nextMs: msOf(at(21)),
            cause: 'lease lost',
            kind: 'failover',
            detectMs: 8_000,
            refillMs: null,
            vacancyMs: 1_000,
            takeoverMs: 300,
            totalMs: 9_300,
          },
        ])
      }),
    )

    it(
      'learns later why a term ended, who came next and when that one acted',
      withHistory(async ({ history }) => {
        const read = async () => (await history.transitions(RANGE)).transitions[0]
        const first = term(1, 7, 0, { to: at(20), endedBy: { cause: 'unobserved', evidence: '' }, silentMs: 8_000 })
        keep(history, JOBS, [first])
        expect(await read()).toMatchObject({ kind: 'unobserved', nextMs: null, detectMs: null })
        keep(history, JOBS, [{ ...first, endedBy: LOST }])
        expect(await read()).toMatchObject({ kind: 'failover', nextMs: null, detectMs: 8_000, vacancyMs: null })
        const second = term(2, 9, 21, { gapMs: 1_000 })
        keep(history, JOBS, [second])
        expect(await read()).toMatchObject({ nextMs: msOf(at(21)), vacancyMs: 1_000, takeoverMs: null })
        history.recordTerm(CLUSTER, JOBS, { ...second, takeoverMs: 250 })
        expect(await read()).toMatchObject({ takeoverMs: 250 })
      }),
    )

    it(
      'forgets an end that is taken back, and ends what was left open',
      withHistory(async ({ history }) => {
        keep(history, JOBS, [term(1, 7, 0, { to: at(20), endedBy: LOST }), term(1, 7, 0)])
        expect((await history.transitions(RANGE)).transitions).toEqual([])
        keep(history, JOBS, [term(2, 9, 30)])
        expect((await history.transitions(RANGE)).transitions).toMatchObject([
          { atMs: msOf(at(30)), nextMs: msOf(at(30)), kind: 'unobserved' },
        ])
      }),
    )

    it(
      'takes what ended within the range, of the elections that are asked for',
      withHistory(async ({ history }) => {
        keep(history, JOBS, [
          term(1, 1, 0, { to: at(10), endedBy: LOST }),
          term(2, 2, 11, { to: at(20), endedBy: RESIGNED }),
        ])
        keep(history, MAIL, [term(1, 3, 0, { to: at(15), endedBy: LOST })])
        const count = async (part: object) => (await history.transitions({ ...RANGE, ...part })).transitions.length
        expect(await count({})).toBe(3)
        expect(await count({ from: at(10), to: at(15) })).toBe(1)
        expect(await count({ text: 'JOB' })).toBe(2)
        expect(await count({ text: 'nobody' })).toBe(0)
        expect(await count({ cluster: 'elsewhere' })).toBe(0)
        expect(await tokensOf(history, { text: 'jobs', causes: ['lease lost'] })).toEqual(['1'])
      }),
    )

    it(
      'names the elections that were led in the range, and since when',
      withHistory(async ({ history }) => {
        keep(history, JOBS, [term(1, 1, 0, { to: at(10), endedBy: LOST }), term(2, 2, 12)])
        keep(history, MAIL, [term(1, 3, 50, { to: at(60), endedBy: LOST })])
        const led = async (from: number, to: number) =>
          (await history.transitions({ ...RANGE, from: at(from), to: at(to) })).elections.map(
            ({ ref, ledFrom, isFirst }) => [ref === JOBS.ref ? 'jobs' : 'mail', ledFrom, isFirst],
          )
        expect(await led(5, 20)).toEqual([['jobs', at(0), true]])
        expect(await led(11, 20)).toEqual([['jobs', at(12), false]])
        expect(await led(55, 80)).toEqual([
          ['jobs', at(12), false],
          ['mail', at(50), true],
        ])
        expect(await led(61, 80)).toEqual([['jobs', at(12), false]])
      }),
    )

    it(
      'brings gaps of the whole cluster and of one election',
      withHistory(async ({ history }) => {
        keep(history, JOBS, [term(1, 1, 0)])
        history.recordGap(CLUSTER, { from: at(5), to: at(9), reason: 'cut off' })
        history.record(CLUSTER, JOBS, [
          {
            type: 'gap',
            at: at(30),
            revision: term(1, 1, 0).token,
            changed: false,
            gap: { from: at(20), to: at(30), reason: 'doubt' },
          },
        ])
        const read = async (from: number, to: number) =>
          (await history.transitions({ ...RANGE, from: at(from), to: at(to) })).gaps
        expect(await read(0, 100)).toEqual([
          { ref: null, from: at(5), to: at(9), reason: 'cut off' },
          { ref: JOBS.ref, from: at(20), to: at(30), reason: 'doubt' },
        ])
        expect(await read(10, 25)).toHaveLength(1)
      }),
    )
  })

  describe('transition rows', () => {
    it(
      'come newest first with both terms, a page at a time',
      withHistory(async ({ history }) => {
        const terms = endedTerms(5)
        keep(history, JOBS, terms)
        keep(history, MAIL, [term(1, 3, 0, { to: at(9), endedBy: LOST })])
        expect(await tokensOf(history)).toEqual(['104', '103', '102', '101', '3', '100'])
        const first = await history.transitionRows({ ...RANGE, limit: 4 })
        expect(first.rows[1]).toMatchObject({ ref: JOBS.ref, prefix: '/jobs/', term: terms[3], next: terms[4] })
        expect(first.rows[0]?.next).toBeNull()
        const rest = await tokensOf(history, { limit: 4, cursor: first.nextCursor ?? '' })
        expect(rest).toEqual(['3', '100'])
        await expect(history.transitionRows({ ...RANGE, limit: 4, cursor: '1.2' })).rejects.toThrow(InvalidCursor)
      }),
    )

    it(
      'leave out the failovers of times that are told otherwise',
      withHistory(async ({ history }) => {
        keep(history, JOBS, [
          term(1, 1, 0, { to: at(10), endedBy: LOST }),
          term(2, 2, 10, { to: at(11), endedBy: RESIGNED }),
          term(3, 3, 11, { to: at(12), endedBy: LOST }),
          term(4, 4, 12, { to: at(13), endedBy: LOST }),
        ])
        expect(await tokensOf(history, { without: [{ from: at(10), to: at(12) }] })).toEqual(['4', '2'])
      }),
    )
  })
}
