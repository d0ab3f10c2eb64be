/** What every `History` does with terms and gaps. */
import { describe, expect, it } from 'vitest'
import {
  at,
  CLUSTER,
  election,
  ended,
  endedTerms,
  LOST,
  RESIGNED,
  revision,
  started,
  term,
  type With,
} from './fixtures.ts'
import { InvalidCursor } from './history.ts'

const JOBS = election()
const JOBS_REF = election().ref

export function termsContract(withHistory: With): void {
  describe('terms', () => {
    it(
      'knows nothing at first',
      withHistory(async ({ history }) => {
        expect(await history.load(CLUSTER, at(0))).toEqual({
          epoch: 0,
          highRevision: '0',
          elections: [],
          downtime: null,
        })
        expect(await history.terms({ cluster: CLUSTER, ref: JOBS_REF, limit: 10 })).toEqual({
          terms: [],
          previous: null,
          gaps: [],
        })
        expect(await history.events({ cluster: CLUSTER, ref: JOBS_REF, limit: 10 })).toEqual({ events: [] })
      }),
    )

    it(
      'reads what was recorded just before, newest first and whole',
      withHistory(async ({ history }) => {
        const first = term(1, 7, 0, { to: at(5), endedBy: { ...LOST, by: 'ann' }, silentMs: 4000, refillMs: 1500 })
        const second = term(2, 9, 6, { gapMs: 1000, takeoverMs: 12, fromAtLeast: true })
        history.record(CLUSTER, JOBS, [started(first), ended(first), started(second)])
        const page = await history.terms({ cluster: CLUSTER, ref: JOBS_REF, limit: 10 })
        expect(page.terms).toEqual([second, first])
        expect(page.previous).toBeNull()
        expect(page.nextCursor).toBeUndefined()
      }),
    )

    it(
      'replaces a term by what is known of it later',
      withHistory(async ({ history }) => {
        const open = term(1, 7, 0)
        const renamed = { ...open, leader: { ...open.leader, identity: 'worker-b' }, takeoverMs: 40 }
        const over = { ...renamed, to: at(9), endedBy: RESIGNED }
        const explained = { ...over, endedBy: LOST }
        history.record(CLUSTER, JOBS, [started(open)])
        history.recordTerm(CLUSTER, JOBS, renamed)
        expect((await history.terms({ cluster: CLUSTER, ref: JOBS_REF, limit: 5 })).terms).toEqual([renamed])
        history.record(CLUSTER, JOBS, [ended(over)])
        history.record(CLUSTER, JOBS, [{ type: 'term-explained', at: at(9), revision: revision(12), term: explained }])
        expect((await history.terms({ cluster: CLUSTER, ref: JOBS_REF, limit: 5 })).terms).toEqual([explained])
      }),
    )

    it(
      'keeps tokens beyond 2^53 apart and in order',
      withHistory(async ({ history }) => {
        const a = term(1, '9007199254740992', 0, { to: at(1), endedBy: RESIGNED })
        const b = term(2, '9007199254740993', 2, { to: at(3), endedBy: RESIGNED })
        const c = term(3, '9223372036854775807', 4)
        history.record(CLUSTER, JOBS, [started(c), ended(b), ended(a)])
        const { terms, previous } = await history.terms({ cluster: CLUSTER, ref: JOBS_REF, limit: 2 })
        expect(terms.map((found) => found.token)).toEqual(['9223372036854775807', '9007199254740993'])
        expect(previous?.token).toBe('9007199254740992')
      }),
    )

    it(
      'puts terms of a newer epoch first, however low their tokens',
      withHistory(async ({ history }) => {
        const old = term(1, 900, 0, { to: at(1), endedBy: { cause: 'store rolled back', evidence: 'revision fell' } })
        const restored = term(2, 12, 2, { epoch: 1 })
        history.record(CLUSTER, JOBS, [ended(old), started(restored)])
        expect((await history.terms({ cluster: CLUSTER, ref: JOBS_REF, limit: 9 })).terms).toEqual([restored, old])
      }),
    )

    it(
      'does not leave an older term open when its end was never recorded',
      withHistory(async ({ history }) => {
        history.record(CLUSTER, JOBS, [started(term(1, 7, 0)), started(term(2, 9, 6))])
        const { terms } = await history.terms({ cluster: CLUSTER, ref: JOBS_REF, limit: 9 })
        expect(terms.map((found) => found.to)).toEqual([null, at(6)])
        expect(terms[1]?.endedBy?.cause).toBe('unobserved')
      }),
    )

    it(
      'filters by time: terms that overlap the range',
      withHistory(async ({ history }) => {
        history.record(CLUSTER, JOBS, endedTerms(10).map(ended))
        const page = await history.terms({ cluster: CLUSTER, ref: JOBS_REF, from: at(25), to: at(50), limit: 9 })
        expect(page.terms.map((found) => found.ordinal)).toEqual([5, 4, 3])
        expect(page.previous?.ordinal).toBe(2)
        expect(page.nextCursor).toBeUndefined()
      }),
    )

    it(
      'keeps clusters and elections apart',
      withHistory(async ({ history }) => {
        history.record(CLUSTER, JOBS, [started(term(1, 7, 0))])
        history.record('other', JOBS, [started(term(5, 8, 0))])
        history.record(CLUSTER, election('mail'), [started(term(9, 9, 0))])
        expect(
          (await history.terms({ cluster: 'other', ref: JOBS_REF, limit: 9 })).terms.map((t) => t.ordinal),
        ).toEqual([5])
      }),
    )

    it(
      'pages without doubles or holes while newer terms arrive',
      withHistory(async ({ history }) => {
        history.record(CLUSTER, JOBS, endedTerms(25).map(ended))
        const seen: number[] = []
        let cursor: string | undefined
        do {
          const page = await history.terms({ cluster: CLUSTER, ref: JOBS_REF, limit: 7, ...(cursor ? { cursor } : {}) })
          seen.push(...page.terms.map((found) => found.ordinal))
          cursor = page.nextCursor
          history.record(CLUSTER, JOBS, [started(term(100 + seen.length, 1000 + seen.length, 900 + seen.length))])
        } while (cursor !== undefined)
        expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => 25 - n))
      }),
    )

    it(
      'refuses a cursor that it did not make',
      withHistory(async ({ history }) => {
        const query = { cluster: CLUSTER, ref: JOBS_REF, limit: 9, cursor: "1' or 1=1" }
        await expect(history.terms(query)).rejects.toBeInstanceOf(InvalidCursor)
        await expect(history.events(query)).rejects.toBeInstanceOf(InvalidCursor)
      }),
    )
  })
}

export function gapsContract(withHistory: With): void {
  describe('gaps', () => {
    it(
      'shows gaps of the election and of its whole cluster, each on one page',
      withHistory(async ({ history }) => {
        history.record(CLUSTER, JOBS, endedTerms(20).map(ended))
        for (const from of [4, 55, 101, 136, 187])
          history.recordGap(CLUSTER, { from: at(from), to: at(from + 8), reason: 'watch lost' })
        const own = { from: at(120), to: at(121), reason: 'compacted' }
        history.record(CLUSTER, JOBS, [{ type: 'gap', at: at(121), revision: revision(500), gap: own, changed: false }])
        const seen: string[] = []
        let cursor: string | undefined
        do {
          const page = await history.terms({ cluster: CLUSTER, ref: JOBS_REF, limit: 6, ...(cursor ? { cursor } : {}) })
          seen.push(...page.gaps.map((gap) => gap.from))
          cursor = page.nextCursor
        } while (cursor !== undefined)
        expect(seen).toEqual([187, 136, 120, 101, 55, 4].map(at))
      }),
    )

    it(
      'extends a gap of the same beginning and does not repeat it per election',
      withHistory(async ({ history }) => {
        const gap = { from: at(1), to: at(2), reason: 'watch lost' }
        history.recordGap(CLUSTER, gap)
        history.recordGap(CLUSTER, { ...gap, to: at(6) })
        history.record(CLUSTER, JOBS, [{ type: 'gap', at: at(2), revision: revision(5), gap, changed: true }])
        const { gaps } = await history.terms({ cluster: CLUSTER, ref: JOBS_REF, limit: 5 })
        expect(gaps).toEqual([{ ...gap, to: at(6) }])
      }),
    )
  })
}
