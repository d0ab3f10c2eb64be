/** What every `History` does with events and samples. */
import { describe, expect, it } from 'vitest'
import type { Fact } from '../../lib/election/changes.ts'
import type { LeaseId } from '../../lib/election/types.ts'
import { at, CLUSTER, election, revision, START_MS, started, term, type With } from './fixtures.ts'

const JOBS = election()
const JOBS_REF = election().ref

export function eventsContract(withHistory: With): void {
  describe('events', () => {
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
}

export function renewalsContract(withHistory: With): void {
  describe('renewals', () => {
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
}
