/** What every `History` does with changes of leader over all elections. */
import { describe, expect, it } from 'vitest'
import type { Term } from '../../lib/election/types.ts'
import { msOf } from '../../lib/shared/clock.ts'
import { at, CLUSTER, election, ended, endedTerms, LOST, RESIGNED, started, term, type With } from './fixtures.ts'
import { type FailoverQuery, type History, InvalidCursor, type TransitionRowQuery } from './history.ts'

const JOBS = election('jobs')
const MAIL = election('mail')
const RANGE = { cluster: CLUSTER, from: at(0), to: at(1_000) }
const ASKED: FailoverQuery = { ...RANGE, objective: { percent: 95, withinMs: 12_000 }, elections: 10 }

function keep(history: History, identity: typeof JOBS, terms: readonly Term[]): void {
  for (const each of terms) history.record(CLUSTER, identity, each.to === null ? [started(each)] : [ended(each)])
}

const tokensOf = async (history: History, query: Partial<TransitionRowQuery> = {}) =>
  (await history.transitionRows({ ...RANGE, limit: 100, ...query })).rows.map(({ term: { token } }) => token)

const pointsOf = async (history: History, part: Partial<FailoverQuery> = {}) =>
  (await history.failovers({ ...ASKED, ...part })).points

export function transitionsContract(withHistory: With): void {
  describe('changes of leader', () => {
    it(
      'are told over all elections, with what followed each',
      withHistory(async ({ history }) => {
        keep(history, JOBS, [
          term(1, 7, 0, { to: at(20), endedBy: LOST, silentMs: 8_000 }),
          term(2, 9, 21, { gapMs: 1_000, takeoverMs: 300 }),
        ])
        keep(history, MAIL, [term(1, 8, 0, { to: at(10), endedBy: { ...LOST, duringStop: true }, silentMs: 9_000 })])
        const { totals, quantiles, points, causes, prefixes } = await history.failovers(ASKED)
        expect(totals).toEqual({ failovers: 1, planned: 1, unobserved: 0, open: 0 })
        expect(quantiles).toMatchObject({ measured: 1, partly: 0, p50Ms: 9_300, withinObjective: 1 })
        expect(points.map(({ ref, atMs, kind, leastMs }) => [ref, atMs, kind, leastMs])).toEqual([
          [MAIL.ref, msOf(at(10)), 'planned', null],
          [JOBS.ref, msOf(at(20)), 'failover', 9_300],
        ])
        expect(causes[0]?.parts).toEqual({ detectMs: 8_000, refillMs: null, vacancyMs: 1_000, takeoverMs: 300 })
        expect(prefixes.map(({ prefix }) => prefix).sort()).toEqual(['/jobs/', '/mail/'])
      }),
    )

    it(
      'learn later why a term ended, who came next and when that one acted',
      withHistory(async ({ history }) => {
        const read = async () => {
          const { causes, totals } = await history.failovers(ASKED)
          return { ...causes[0]?.parts, kind: causes[0]?.kind, open: totals.open }
        }
        const first = term(1, 7, 0, { to: at(20), endedBy: { cause: 'unobserved', evidence: '' }, silentMs: 8_000 })
        keep(history, JOBS, [first])
        expect(await read()).toMatchObject({ kind: 'unobserved', open: 0, detectMs: null })
        keep(history, JOBS, [{ ...first, endedBy: LOST, refillMs: 3_000 }])
        expect(await read()).toMatchObject({
          kind: 'failover',
          open: 1,
          detectMs: 5_000,
          refillMs: 3_000,
          vacancyMs: null,
        })
        const second = term(2, 9, 21, { gapMs: 1_000 })
        keep(history, JOBS, [second])
        expect(await read()).toMatchObject({ open: 0, vacancyMs: 1_000, takeoverMs: null })
        history.recordTerm(CLUSTER, JOBS, { ...second, takeoverMs: 250 })
        expect(await read()).toMatchObject({ takeoverMs: 250 })
      }),
    )

    it(
      'are forgotten when an end is taken back, and told when one was left open',
      withHistory(async ({ history }) => {
        keep(history, JOBS, [term(1, 7, 0, { to: at(20), endedBy: LOST }), term(1, 7, 0)])
        expect(await pointsOf(history)).toEqual([])
        keep(history, JOBS, [term(2, 9, 30)])
        expect(await pointsOf(history)).toMatchObject([{ atMs: msOf(at(30)), kind: 'unobserved' }])
      }),
    )

    it(
      'are those that ended within the range, of what is asked for',
      withHistory(async ({ history }) => {
        keep(history, JOBS, [
          term(1, 1, 0, { to: at(10), endedBy: LOST }),
          term(2, 2, 11, { to: at(20), endedBy: RESIGNED }),
        ])
        keep(history, MAIL, [term(1, 3, 0, { to: at(15), endedBy: LOST })])
        const count = async (part: Partial<FailoverQuery>) => (await pointsOf(history, part)).length
        expect(await count({})).toBe(3)
        expect(await count({ from: at(10), to: at(15) })).toBe(1)
        expect(await count({ text: 'JOB' })).toBe(2)
        expect(await count({ text: 'nobody' })).toBe(0)
        expect(await count({ causes: ['lease lost'] })).toBe(2)
        expect(await count({ cluster: 'elsewhere' })).toBe(0)
        expect(await tokensOf(history, { text: 'jobs', causes: ['lease lost'] })).toEqual(['1'])
      }),
    )

    it(
      'leave what was led, and what was not seen or stopped',
      withHistory(async ({ history }) => {
        keep(history, JOBS, [term(1, 1, 0, { to: at(10), endedBy: LOST }), term(2, 2, 12)])
        keep(history, MAIL, [term(1, 3, 50, { to: at(60), endedBy: LOST })])
        const led = async (from: number, to: number) => {
          const { elections } = await history.failovers({ ...ASKED, from: at(from), to: at(to) })
          return elections.leastLed.map(({ ref, ledMs, leaderlessMs, unobservedMs }) => [
            ref === JOBS.ref ? 'jobs' : 'mail',
            ...[ledMs, leaderlessMs, unobservedMs].map((ms) => ms / 1_000),
          ])
        }
        expect(await led(5, 20)).toEqual([['jobs', 13, 2, 0]])
        expect(await led(11, 20)).toEqual([['jobs', 8, 1, 0]])
        expect(await led(40, 80)).toEqual([
          ['mail', 10, 20, 10],
          ['jobs', 40, 0, 0],
        ])
        expect(await led(61, 80)).toEqual([['jobs', 19, 0, 0]])
        history.recordGap(CLUSTER, { from: at(41), to: at(45), reason: 'cut off' })
        const gap = { from: at(70), to: at(79), reason: 'doubt' }
        history.record(CLUSTER, JOBS, [{ type: 'gap', at: at(79), revision: term(1, 1, 0).token, changed: false, gap }])
        expect(await led(40, 80)).toEqual([
          ['mail', 10, 20, 10],
          ['jobs', 27, 0, 13],
        ])
        const stop = {
          scope: '/mail/',
          scopeBase64: btoa('/mail/'),
          match: 'exact',
          nonce: 'n',
          by: 'ann',
          reason: '',
        } as const
        history.recordStops(CLUSTER, [{ ...stop, from: at(60), to: null, ended: null, endedBy: null }])
        expect(await led(40, 80)).toContainEqual(['mail', 10, 0, 10])
        expect(await led(40, 80)).toContainEqual(['jobs', 27, 0, 13])
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
