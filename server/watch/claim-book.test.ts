import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { at, CLUSTER, election, leaseOf, rev, shown } from '../../lib/election/claims-for-test.ts'
import { ClusterView } from '../../lib/election/cluster-view.ts'
import type { CandidateReport } from '../../lib/election/reports.ts'
import type { ElectionRef } from '../../lib/election/types.ts'
import { base64FromLatin1 } from '../../lib/shared/bytes.ts'
import { instant } from '../../lib/shared/clock.ts'
import { ClaimBook, MOST_IN_ALL, MOST_PER_ELECTION } from './claim-book.ts'
import type { RoutedChange } from './election-index.ts'

const T0 = Date.parse(at(0))

function report(more: Partial<CandidateReport> = {}): CandidateReport {
  return {
    cluster: 'prod-eu',
    layout: 'queue',
    prefixBase64: base64FromLatin1('/e/job/'),
    instance: 'a',
    identity: 'w7',
    lease: leaseOf(7),
    state: 'leading',
    token: { epoch: 0, revision: rev(7) },
    claimLeftMs: 6_000,
    lastWorkAgeMs: null,
    rejections: 0,
    missed: 0,
    renewals: [],
    ...more,
  }
}

const waits = (instance: string, more: Partial<CandidateReport> = {}) =>
  report({ instance, lease: null, state: 'waiting', token: null, claimLeftMs: null, ...more })

/** A book in front of one election, on a clock that stands still. */
function keeping(known = true) {
  const state = election(7, 9)
  const view = new ClusterView(CLUSTER, known ? [state] : [])
  const clock = { ms: 0, wallOffMs: 0, monoMs: () => clock.ms, nowMs: () => T0 + clock.ms + clock.wallOffMs }
  const published: RoutedChange[][] = []
  const dropped: string[] = []
  const book = new ClaimBook({
    clock,
    stateOf: (ref) => view.elections.get(ref),
    states: () => view.elections.values(),
    publish: (changes) => {
      if (changes.length > 0) published.push([...changes])
      for (const { ref, change } of changes) view.apply({ type: 'election', cluster: 'prod-eu', ref, change })
    },
    onDropped: (what) => dropped.push(what),
  })
  const take = (ms: number, ...reports: CandidateReport[]) => {
    clock.ms = ms
    for (const each of reports) book.take(each, { at: instant(clock.nowMs()), monoMs: ms })
    book.publishSoon()
  }
  const claims = () => view.elections.get(state.ref)?.claims ?? []
  return { book, clock, view, state, published, dropped, take, claims }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('what is published', () => {
  test('is a first report at once, with the end of the claim on the server’s clock', () => {
    const { take, claims } = keeping()
    take(1_000, report({ lastWorkAgeMs: 400 }))
    expect(claims()).toMatchObject([
      { instance: 'a', validUntil: at(7_000), reportedAt: at(1_000), lastWorkAt: at(600) },
    ])
  })

  test('is the same again only now and then, and in short', () => {
    const { take, book, published } = keeping()
    take(0, report(), waits('b'))
    published.length = 0
    for (let ms = 200; ms <= 10_000; ms += 200) {
      vi.advanceTimersByTime(200)
      take(ms, report(), waits('b'))
      book.tend()
    }
    const changes = published.flat().map(({ change }) => change)
    expect(changes.every((change) => change.type === 'claims' && change.put === undefined)).toBe(true)
    const again = changes.flatMap((change) => (change.type === 'claims' ? (change.again ?? []) : []))
    const times = (instance: string) => again.filter((each) => each.instance === instance).length
    expect([times('a'), times('b')]).toEqual([10, 2])
    expect(Object.keys(again[0] ?? {})).toEqual(['instance', 'reportedAt', 'validUntil', 'lastWorkAt'])
  })

  test('is a new state at once after quiet, and within a moment in a flood', () => {
    const { take, claims, published } = keeping()
    take(0, report())
    for (let ms = 1; ms <= 51; ms += 1) take(ms, report({ state: ms % 2 === 0 ? 'leading' : 'suspect' }))
    expect(published).toHaveLength(1)
    vi.advanceTimersByTime(100)
    expect(published).toHaveLength(2)
    expect(claims()).toMatchObject([{ state: 'suspect', reportedAt: at(51) }])
  })

  test('is every word of one whose claim etcd does not bear out', () => {
    const { take, view, state, claims, book } = keeping()
    take(0, report())
    view.apply({ type: 'election', cluster: 'prod-eu', ref: state.ref, change: shown(1_000, [7]) })
    vi.advanceTimersByTime(1_000)
    take(1_100, report())
    expect(claims()).toMatchObject([{ reportedAt: at(1_100), lateSince: null }])
    vi.advanceTimersByTime(1_000)
    take(2_100, report())
    expect(claims()).toMatchObject([{ lateSince: at(2_100) }])
    book.stop()
  })

  test('waits for an election that is not known yet', () => {
    const { take, view, state, book, published } = keeping(false)
    take(0, report())
    expect(published).toEqual([])
    view.elections.set(state.ref, state)
    book.tend()
    expect(view.elections.get(state.ref)?.claims).toMatchObject([{ instance: 'a' }])
  })

  test('counts missed renewals up, since each report has its own', () => {
    const { take, claims, book } = keeping()
    take(0, report({ missed: 2 }))
    take(1_000, report({ missed: 3, rejections: 4 }))
    book.tend()
    expect(claims()).toMatchObject([{ missed: 5, rejections: 4 }])
  })

  test('is nothing that a newer report has overtaken', () => {
    const { take, book, claims } = keeping()
    take(2_000, waits('a'))
    book.take(report(), { at: at(1_000), monoMs: 1_000 })
    book.tend()
    expect(claims()).toMatchObject([{ token: null }])
  })
})

describe('what is forgotten', () => {
  test('is who was silent for a minute', () => {
    const { take, book, clock, claims } = keeping()
    take(0, report(), waits('b'))
    clock.ms = 60_000
    book.tend()
    expect(claims()).toHaveLength(2)
    clock.ms = 60_001
    book.tend()
    expect([claims(), book.size]).toEqual([[], 0])
  })

  test('is no claim that still runs', () => {
    const { take, book, clock, claims } = keeping()
    take(0, report({ claimLeftMs: 90_000 }))
    clock.ms = 89_000
    book.tend()
    expect(claims()).toHaveLength(1)
  })

  test('a claim ends on the monotonic clock, also where the wall clock was set back', () => {
    const { take, book, clock, claims } = keeping()
    take(0, report({ claimLeftMs: 6_000 }))
    clock.ms = 6_000
    clock.wallOffMs = -2_000
    book.tend()
    expect(claims()).toMatchObject([{ validUntil: at(4_000) }])
  })
})

describe('a flood', () => {
  test('of instances of one election: the oldest that claims nothing goes', () => {
    const { take, book, claims, dropped } = keeping()
    take(0, report())
    for (let n = 0; n < MOST_PER_ELECTION + 20; n += 1) take(n, waits(`n${n}`))
    book.tend()
    expect(claims()).toHaveLength(MOST_PER_ELECTION)
    const names = claims().map(({ instance }) => instance)
    expect([names.includes('a'), names.includes('n20'), names.includes('n21')]).toEqual([true, false, true])
    expect(dropped).toHaveLength(21)
  })

  test('of elections never holds more than so many in all', () => {
    const { take, book, dropped } = keeping()
    const other = (n: number) => waits('x', { prefixBase64: base64FromLatin1(`/e/${n}/`) })
    for (let n = 0; n < MOST_IN_ALL + 100; n += 1) take(n, other(n))
    expect(book.size).toBe(MOST_IN_ALL)
    expect(dropped).toHaveLength(100)
    expect(book.take(other(0), { at: at(9_000), monoMs: 9_000 })).toBe('q~L2UvMC8' as ElectionRef)
    expect(book.size).toBe(MOST_IN_ALL)
  })
})
