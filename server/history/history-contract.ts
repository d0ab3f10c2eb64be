/** What every `History` does; run by the tests of each implementation. */
import { describe, expect, it } from 'vitest'
import type { Fact } from '../../lib/election/changes.ts'
import { refOf } from '../../lib/election/ids.ts'
import type { EndedBy, LeaseId, Revision, Term } from '../../lib/election/types.ts'
import { type Clock, instant } from '../../lib/shared/clock.ts'
import { type ElectionIdentity, type History, InvalidCursor } from './history.ts'

export const START_MS = Date.parse('2026-03-12T03:00:00.000Z')
export const CLUSTER = 'prod'
export const at = (seconds: number) => instant(START_MS + seconds * 1000)
export const revision = (value: string | number) => String(value) as Revision

/** Stands still unless it is moved. */
export class ManualClock implements Clock {
  ms = START_MS
  nowMs(): number {
    return this.ms
  }
  monoMs(): number {
    return performance.now()
  }
}

export function election(name = 'jobs'): ElectionIdentity {
  const prefix = `/${name}/`
  return {
    ref: refOf('queue', prefix),
    layout: 'queue',
    prefix,
    prefixBase64: btoa(prefix),
    foundBy: 'key ends in its own lease id',
    confirmed: true,
  }
}

const JOBS = election()
const JOBS_REF = JOBS.ref
export const LOST: EndedBy = { cause: 'lease lost', evidence: 'lease look-up after the delete: gone' }
export const RESIGNED: EndedBy = { cause: 'resigned or removed', evidence: 'key gone, lease alive' }

export function term(ordinal: number, token: string | number, from: number, part: Partial<Term> = {}): Term {
  const lease = '694d7b1f2c3a4e01' as LeaseId
  return {
    ordinal,
    epoch: 0,
    token: revision(token),
    leader: { identity: `worker-${ordinal}`, key: `/jobs/${lease}`, keyBase64: btoa(`/jobs/${lease}`), lease },
    from: at(from),
    fromAtLeast: false,
    to: null,
    gapMs: null,
    takeoverMs: null,
    silentMs: null,
    endedBy: null,
    ...part,
  }
}

export const started = (value: Term): Fact => ({
  type: 'term-started',
  at: value.from,
  revision: value.token,
  term: value,
})

export const ended = (value: Term): Fact => ({
  type: 'term-ended',
  at: value.to ?? value.from,
  revision: value.token,
  term: value,
})

/** `count` terms of ten seconds each, back to back; all ended. */
export function endedTerms(count: number): Term[] {
  return Array.from({ length: count }, (_, n) =>
    term(n + 1, 100 + n, n * 10, { to: at(n * 10 + 9), endedBy: RESIGNED, gapMs: n === 0 ? null : 1000 }),
  )
}

export interface Harness {
  clock: ManualClock
  history: History
  /** Stops and starts it again over what it kept. */
  restart(): Promise<History>
  stop(): Promise<void>
}

export function historyContract(name: string, open: () => Promise<Harness>): void {
  const withHistory = (run: (harness: Harness) => Promise<void>) => async () => {
    const harness = await open()
    try {
      await run(harness)
    } finally {
      await harness.stop()
    }
  }

  describe(`${name}: terms`, () => {
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
        const first = term(1, 7, 0, { to: at(5), endedBy: { ...LOST, by: 'ann' }, silentMs: 4000 })
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

  describe(`${name}: gaps`, () => {
    it(
      'shows gaps of the election and of its whole cluster, each on one page',
      withHistory(async ({ history }) => {
        history.record(CLUSTER, JOBS, endedTerms(20).map(ended))
        for (const from of [4, 55, 101, 187])
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
        expect(seen).toEqual([187, 120, 101, 55, 4].map(at))
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

  describe(`${name}: events`, () => {
    it(
      'gives facts back as they were, newest first',
      withHistory(async ({ history }) => {
        const joined: Fact = {
          type: 'candidate-joined',
          at: at(1),
          revision: revision('9007199254740993'),
          identity: 'a\\x00b "quoted"',
          keyBase64: btoa('/jobs/1'),
          lease: null,
        }
        const facts: Fact[] = [
          joined,
          started(term(1, 5, 2)),
          { type: 'proclaimed', at: at(2), revision: revision(6), identity: 'b', was: 'a' },
          { type: 'lease-changed', at: at(3), revision: revision(7), identity: 'b', was: 'ab' as LeaseId, lease: null },
          { type: 'blocked', at: at(4), revision: revision(8), key: '/jobs/x/1' },
        ]
        history.record(CLUSTER, JOBS, facts)
        const { events, nextCursor } = await history.events({ cluster: CLUSTER, ref: JOBS_REF, limit: 50 })
        expect(events).toEqual(facts.toReversed())
        expect(nextCursor).toBeUndefined()
      }),
    )

    it(
      'pages through events of one millisecond, and by range',
      withHistory(async ({ history }) => {
        const facts = Array.from(
          { length: 23 },
          (_, n): Fact => ({
            type: 'proclaimed',
            at: at(Math.floor(n / 10)),
            revision: revision(n + 1),
            identity: String(n),
            was: '',
          }),
        )
        history.record(CLUSTER, JOBS, facts)
        const seen: string[] = []
        let cursor: string | undefined
        do {
          const page = await history.events({
            cluster: CLUSTER,
            ref: JOBS_REF,
            limit: 4,
            ...(cursor ? { cursor } : {}),
          })
          seen.push(...page.events.map((event) => event.revision))
          cursor = page.nextCursor
          history.record(CLUSTER, JOBS, [{ type: 'blocked', at: at(60), revision: revision(99), key: 'k' }])
        } while (cursor !== undefined)
        expect(seen).toEqual(facts.map((fact) => fact.revision).reverse())
        const range = await history.events({ cluster: CLUSTER, ref: JOBS_REF, from: at(1), to: at(2), limit: 50 })
        expect(range.events).toHaveLength(10)
      }),
    )
  })

  describe(`${name}: after a restart`, () => {
    it(
      'opens elections where they were left, and calls the time between a gap',
      withHistory(async (harness) => {
        const { history } = harness
        const first = term(1, 7, 0, { to: at(5), endedBy: LOST })
        const second = term(2, 9, 6, { gapMs: 1000 })
        history.record(CLUSTER, { ...JOBS, confirmed: false }, [started(first)])
        history.record(CLUSTER, JOBS, [ended(first), started(second)])
        history.alive(CLUSTER, { at: at(10), epoch: 0, revision: revision('9007199254740993') })
        await history.flush()
        harness.clock.ms = START_MS + 70_000
        const after = await harness.restart()
        const known = await after.load(CLUSTER, at(70))
        const downtime = { from: at(10), to: at(70), reason: 'Tenure was not running' }
        expect(known).toEqual({
          epoch: 0,
          highRevision: '9007199254740993',
          downtime,
          elections: [
            {
              ...JOBS,
              seed: { lastOrdinal: 2, openTerm: second, ended: [first], gaps: [downtime], failovers: [at(5)] },
            },
          ],
        })
        const page = await after.terms({ cluster: CLUSTER, ref: JOBS_REF, limit: 9 })
        expect(page).toEqual({ terms: [second, first], previous: null, gaps: [downtime] })
        after.recordGap(CLUSTER, { ...downtime, to: at(72) })
        expect((await after.terms({ cluster: CLUSTER, ref: JOBS_REF, limit: 9 })).gaps[0]?.to).toBe(at(72))
      }),
    )

    it(
      'finds the downtime once a run',
      withHistory(async (harness) => {
        harness.history.alive(CLUSTER, { at: at(10), epoch: 0, revision: revision(3) })
        await harness.history.flush()
        const after = await harness.restart()
        expect((await after.load(CLUSTER, at(20))).downtime).toMatchObject({ from: at(10), to: at(20) })
        after.alive(CLUSTER, { at: at(25), epoch: 0, revision: revision(4) })
        await after.flush()
        expect((await after.load(CLUSTER, at(30))).downtime).toMatchObject({ from: at(10), to: at(20) })
      }),
    )

    it(
      'forgets elections without a key or term for a day, but not their ordinals',
      withHistory(async (harness) => {
        const { history } = harness
        const day = 24 * 3600
        const old = term(41, 7, 0, { to: at(5), endedBy: RESIGNED })
        history.record(CLUSTER, JOBS, [started({ ...old, to: null, endedBy: null }), ended(old)])
        history.record(CLUSTER, election('calm'), [started(term(3, 8, 1))])
        const gap = { from: at(day), to: at(day + 1), reason: 'watch lost' }
        history.record(CLUSTER, JOBS, [{ type: 'gap', at: at(day + 1), revision: revision(99), gap, changed: false }])
        await history.flush()
        harness.clock.ms = START_MS + 2 * day * 1000
        const after = await harness.restart()
        const known = await after.load(CLUSTER, at(2 * day))
        expect(known.elections.map((found) => found.prefix)).toEqual(['/calm/'])
        const seeds = await after.seeds(CLUSTER, [JOBS_REF, election('unknown').ref], at(2 * day))
        expect([...seeds]).toEqual([
          [JOBS_REF, { lastOrdinal: 41, openTerm: null, ended: [old], gaps: [], failovers: [] }],
        ])
      }),
    )

    it(
      'keeps in a seed only the windows that views show, and the newest ended term',
      withHistory(async (harness) => {
        const { history } = harness
        const terms = endedTerms(500).map((value) => ({ ...value, endedBy: LOST }))
        history.record(CLUSTER, JOBS, terms.map(ended))
        const soon = (await history.load(CLUSTER, at(5000))).elections[0]?.seed
        expect(soon?.ended.map((found) => found.ordinal)).toEqual(Array.from({ length: 64 }, (_, n) => 437 + n))
        expect(soon?.failovers).toHaveLength(256)
        expect(soon?.failovers.at(-1)).toBe(at(4999))
        const later = (await history.load(CLUSTER, at(5000 + 7200))).elections[0]?.seed
        expect(later?.ended.map((found) => found.ordinal)).toEqual([500])
        expect(later?.lastOrdinal).toBe(500)
      }),
    )

    it(
      'raises the high revision within an epoch and starts it again with a new one',
      withHistory(async ({ history }) => {
        const read = async () => {
          await history.flush()
          const { epoch, highRevision } = await history.load(CLUSTER, at(99))
          return [epoch, highRevision]
        }
        history.alive(CLUSTER, { at: at(1), epoch: 0, revision: revision(900) })
        expect(await read()).toEqual([0, '900'])
        history.alive(CLUSTER, { at: at(2), epoch: 0, revision: revision(899) })
        expect(await read()).toEqual([0, '900'])
        history.alive(CLUSTER, { at: at(3), epoch: 1, revision: revision(20) })
        expect(await read()).toEqual([1, '20'])
        history.alive(CLUSTER, { at: at(4), epoch: 0, revision: revision(950) })
        expect(await read()).toEqual([1, '20'])
      }),
    )
  })

  describe(`${name}: renewals`, () => {
    it(
      'answers in buckets per series, probes of the cluster included',
      withHistory(async ({ history, clock }) => {
        const holder = { cluster: CLUSTER, source: 'holder', ref: JOBS_REF, identity: 'worker-1' } as const
        const probe = { cluster: CLUSTER, source: 'probe', member: 'a1' } as const
        clock.ms = START_MS + 120_000
        for (let n = 0; n < 60; n += 1) history.sample(holder, at(n), n + 1)
        for (let n = 30; n < 60; n += 1) history.sample(probe, at(n), 5)
        history.sample({ ...holder, ref: election('mail').ref }, at(3), 7)
        history.sample({ ...probe, cluster: 'other' }, at(3), 7)
        await history.flush()
        const { bucketMs, series } = await history.renewals({
          cluster: CLUSTER,
          ref: JOBS_REF,
          from: at(0),
          to: at(60),
          points: 3,
        })
        expect(bucketMs).toBe(30_000)
        const [first, second] = series.toSorted((a, b) => (a.source < b.source ? -1 : 1))
        expect(first).toMatchObject({ source: 'holder', identity: 'worker-1' })
        expect(first?.buckets.map(({ from, count, min, max }) => ({ from, count, min, max }))).toEqual([
          { from: at(0), count: 30, min: 1, max: 30 },
          { from: at(30), count: 30, min: 31, max: 60 },
        ])
        expect(first?.buckets[1]?.p50).toBeGreaterThan(44)
        expect(first?.buckets[1]?.p50).toBeLessThan(47)
        expect(second).toEqual({
          source: 'probe',
          member: 'a1',
          buckets: [{ from: at(30), count: 30, p50: 5, p95: 5, p99: 5, min: 5, max: 5 }],
        })
      }),
    )

    it(
      'takes no value that is no measurement',
      withHistory(async ({ history, clock }) => {
        clock.ms = START_MS + 10_000
        const key = { cluster: CLUSTER, source: 'margin', ref: JOBS_REF } as const
        for (const value of [Number.NaN, Number.POSITIVE_INFINITY, -1, 0, 42]) history.sample(key, at(1), value)
        await history.flush()
        const { series } = await history.renewals({
          cluster: CLUSTER,
          ref: JOBS_REF,
          from: at(0),
          to: at(10),
          points: 1,
        })
        expect(series).toMatchObject([{ source: 'margin', buckets: [{ count: 2, min: 0, max: 42 }] }])
      }),
    )
  })

  describe(`${name}: trouble`, () => {
    it(
      'says that it is well',
      withHistory(async ({ history }) => {
        expect(await history.flush()).toEqual({ ok: true })
        expect(history.state()).toEqual({ ok: true })
      }),
    )
  })
}
