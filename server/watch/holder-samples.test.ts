import { expect, test } from 'vitest'
import { at, election, having, leaseOf, rev, shown } from '../../lib/election/claims-for-test.ts'
import type { CandidateReport } from '../../lib/election/reports.ts'
import { HolderSamples } from './holder-samples.ts'

/** Samples that a report received at 10 s leaves. */
function stored(report: Partial<CandidateReport>, state = having(election(7, 9), shown(5_000, [7]))) {
  const samples: [string | undefined, string, number][] = []
  const missed: (string | undefined)[] = []
  const dropped: string[] = []
  const taking = new HolderSamples({
    cluster: 'eu',
    clock: { nowMs: () => 0, monoMs: () => 0 },
    history: {
      sample: ({ identity, source }, time, value) =>
        source === 'missed' ? missed.push(identity) : samples.push([identity, time, value]),
    },
    onDropped: (what) => dropped.push(what),
  })
  const whole = { lease: leaseOf(9), token: null, renewals: [], missed: 0, ...report } as unknown as CandidateReport
  taking.take(state, whole, { at: at(10_000), monoMs: 10_000 })
  return { samples, missed, dropped }
}

const renewals = (...agesMs: number[]) => agesMs.map((ageMs) => ({ ageMs, rttMs: 4.2 }))

test('a leader’s renewals are kept under the name that etcd has, each at its own time', () => {
  expect(stored({ renewals: renewals(100, 3_400) }).samples).toEqual([
    ['w9', at(9_900), 4.2],
    ['w9', at(6_600), 4.2],
  ])
})

test('those from before its term, and those of a waiter, are not the holder’s', () => {
  expect(stored({ renewals: renewals(6_000) }).samples).toEqual([])
  expect(stored({ lease: leaseOf(11), renewals: renewals(100) }).samples).toEqual([])
})

test('the last ones of a term that has just ended still count, later ones do not', () => {
  const { samples } = stored({ lease: leaseOf(7), renewals: renewals(100, 5_100) })
  expect(samples).toEqual([['w7', at(4_900), 4.2]])
})

test('without a lease the token tells whose they are', () => {
  const token = { epoch: 0, revision: rev(9) }
  expect(stored({ lease: null, token, renewals: renewals(100) }).samples).toHaveLength(1)
})

test('a flood is cut off, and said', () => {
  const { samples, dropped } = stored({ renewals: renewals(...Array.from({ length: 2_100 }, (_, n) => n)) })
  expect([samples.length, dropped.length]).toEqual([2_000, 1])
})

test('renewals that the leader missed are counted each, those of others and of a former leader are not', () => {
  expect(stored({ missed: 2 })).toMatchObject({ samples: [], missed: ['w9', 'w9'] })
  expect(stored({ missed: 2, lease: leaseOf(11) }).missed).toEqual([])
  expect(stored({ missed: 2, lease: leaseOf(7) }).missed).toEqual([])
  expect(stored({ missed: 2_100 }).missed).toHaveLength(2_000)
})
