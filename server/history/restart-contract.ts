/** What every `History` still knows after a restart. */

import { describe, expect, it } from 'vitest'
import { KEEP } from '../../lib/election/terms.ts'
import {
  at,
  CLUSTER,
  election,
  ended,
  endedTerms,
  LOST,
  RESIGNED,
  revision,
  START_MS,
  started,
  term,
  type With,
} from './fixtures.ts'

const JOBS = election()
const JOBS_REF = election().ref

export function restartContract(withHistory: With): void {
  describe('after a restart', () => {
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
        harness.clock.ms = START_MS + (day + 1) * 1000
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
        expect(soon?.ended.map((found) => found.ordinal)).toEqual(
          Array.from({ length: KEEP.terms }, (_, n) => 501 - KEEP.terms + n),
        )
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
}
