import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Bucket } from '../../lib/election/series.ts'
import { instant } from '../../lib/shared/clock.ts'
import { type Database, openDatabase } from './database.ts'
import { at, CLUSTER, election, ManualClock, START_MS, started, term } from './fixtures.ts'
import { retentionStep } from './retention.ts'
import { Rollup } from './rollup.ts'
import { RELATIVE_ERROR } from './sketch.ts'
import { openSqliteHistory, type SqliteHistory } from './sqlite-history.ts'

const S = 1_000
const M = 60 * S
const H = 60 * M
const REF = election().ref
const SERIES = { cluster: CLUSTER, source: 'holder', ref: REF, identity: 'worker-1' } as const

let dir: string
let clock: ManualClock
let history: SqliteHistory
const file = () => join(dir, 'tenure.db')
const open = () => openSqliteHistory({ file: file(), clock })

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tenure-rollup-'))
  clock = new ManualClock()
  history = open()
})

afterEach(async () => {
  await history.close()
  rmSync(dir, { recursive: true })
})

/** Samples as they come, and the clock with them. */
async function sampleAt(atMs: number, value: number): Promise<void> {
  clock.ms = Math.max(clock.ms, atMs)
  history.sample(SERIES, instant(atMs), value)
}

async function settle(nowMs: number): Promise<void> {
  clock.ms = nowMs
  await history.flush()
  await history.maintain()
}

async function buckets(fromMs: number, toMs: number, points: number): Promise<readonly Bucket[]> {
  const query = { cluster: CLUSTER, ref: REF, from: instant(fromMs), to: instant(toMs), points }
  const { series } = await history.renewals(query)
  return series[0]?.buckets ?? []
}

function check(found: readonly Bucket[], samples: readonly [number, number][], widthMs: number): void {
  const expected = new Map<number, number[]>()
  for (const [atMs, value] of samples) {
    const from = Math.floor(atMs / widthMs) * widthMs
    expected.set(from, [...(expected.get(from) ?? []), value])
  }
  expect(found.map((bucket) => bucket.from)).toEqual([...expected.keys()].sort((a, b) => a - b).map(instant))
  for (const bucket of found) {
    const sorted = (expected.get(Date.parse(bucket.from)) ?? []).sort((a, b) => a - b)
    expect(bucket.count).toBe(sorted.length)
    expect(bucket.min).toBe(sorted[0])
    expect(bucket.max).toBe(sorted.at(-1))
    for (const [quantile, got] of [
      [0.5, bucket.p50],
      [0.95, bucket.p95],
      [0.99, bucket.p99],
    ] as const) {
      const rank = quantile * (sorted.length - 1)
      expect(got).toBeGreaterThanOrEqual((sorted[Math.floor(rank)] ?? 0) * (1 - RELATIVE_ERROR))
      expect(got).toBeLessThanOrEqual((sorted[Math.ceil(rank)] ?? 0) * (1 + RELATIVE_ERROR))
    }
  }
}

const offset = fc.oneof(
  fc.nat(40 * M),
  fc.nat(90 * S),
  fc.integer({ min: 0, max: 239 }).map((n) => n * 10 * S),
)
/** Kept to the thousandth. */
const measured = fc.integer({ min: 10, max: 5_000_000 }).map((n) => n / 1_000)
const samplesOf = fc.array(fc.tuple(offset, measured), {
  minLength: 1,
  maxLength: 80,
})

describe('rolling up', () => {
  it('answers from every tier as brute force over the samples does', async () => {
    await fc.assert(
      fc.asyncProperty(samplesOf, fc.nat(3), async (offsets, restarts) => {
        await history.close()
        rmSync(dir, { recursive: true })
        dir = mkdtempSync(join(tmpdir(), 'tenure-rollup-'))
        clock.ms = START_MS
        history = open()
        // In the order of arrival, so that some come after their bucket was rolled up.
        for (const [at, [offsetMs, value]] of offsets.entries()) {
          await sampleAt(START_MS + offsetMs, value)
          if (at % 20 === 19) await settle(clock.ms + 3 * S)
          if (restarts > 0 && at % 30 === 29) {
            await history.close()
            history = open()
          }
        }
        const samples = offsets.map(([offsetMs, value]): [number, number] => [START_MS + offsetMs, value])
        await settle(START_MS + 41 * M)
        // Raw, then the 10 s, 1 min and 10 min tiers, as time goes on and the finer ones are deleted.
        for (const [laterMs, widthMs] of [
          [41 * M, M],
          [3 * H, M],
          [20 * H, 2 * M],
          [10 * 24 * H, 10 * M],
        ] as const) {
          await settle(START_MS + laterMs)
          const rangeMs = 40 * M + widthMs
          const found = await buckets(START_MS, START_MS + rangeMs, rangeMs / widthMs + 1)
          check(found, samples, widthMs)
        }
      }),
      { numRuns: 25 },
    )
  }, 60_000)

  it('completes the newest part, which is not rolled up yet, from finer tiers', async () => {
    const samples: [number, number][] = []
    for (let n = 0; n <= 8 * H; n += 40 * S) {
      samples.push([START_MS + n, 1 + (n % 7000)])
      await sampleAt(START_MS + n, 1 + (n % 7000))
      if (n % (10 * M) === 0) await settle(START_MS + n + 1)
    }
    await history.flush()
    const found = await buckets(START_MS, clock.ms + 1, 300)
    check(found, samples, 2 * M)
  }, 30_000)

  it('counts a sample that came late once, in every tier', async () => {
    await sampleAt(START_MS + 1 * S, 10)
    await settle(START_MS + 30 * M)
    await sampleAt(START_MS + 2 * S, 30)
    await settle(START_MS + 31 * M)
    for (const laterMs of [31 * M, 3 * H, 20 * H, 10 * 24 * H]) {
      await settle(START_MS + laterMs)
      expect(await buckets(START_MS, START_MS + 10 * M, 1)).toMatchObject([{ count: 2, min: 10, max: 30 }])
    }
  })

  it('goes on where a run was cut off in the middle of a bucket', async () => {
    for (let n = 0; n < 1000; n += 1) {
      history.sample({ ...SERIES, identity: `worker-${n}` }, instant(START_MS + S), n + 1)
    }
    await history.flush()
    await history.close()
    const database = await openDatabase(file())
    // Every look at this clock finds the time of a step over, so that a step is a single piece.
    let monoMs = 0
    const rollup = new Rollup({ nowMs: () => 0, monoMs: () => (monoMs += 1000) })
    rollup.load(database)
    expect(rollup.step(database, START_MS + M)).toBe(true)
    const half = rolledCount(database)
    expect(half).toBeGreaterThan(0)
    expect(half).toBeLessThan(1000)
    // Rolling the same bucket again from its beginning replaces what the first run wrote.
    const again = new Rollup()
    again.load(database)
    while (again.step(database, START_MS + M)) {}
    expect(rolledCount(database)).toBe(1000)
    await database.close()
    history = open()
  })

  it('skips days without samples in one step', async () => {
    await sampleAt(START_MS, 1)
    await settle(START_MS + M)
    await history.close()
    clock.ms = START_MS + 20 * 24 * H
    const database = await openDatabase(file())
    const rollup = new Rollup()
    rollup.load(database)
    let steps = 0
    while (rollup.step(database, clock.ms)) steps += 1
    expect(steps).toBeLessThan(100)
    await database.close()
    history = open()
  })
})

const rolledCount = (database: Database) =>
  Number(database.statement('SELECT count(*) AS n FROM rolled WHERE tier = 1').get()?.n)

describe('retention', () => {
  it('keeps each tier its time and deletes nothing that is not rolled up', async () => {
    const count = (what: string) => {
      const look = new DatabaseSync(file(), { readOnly: true })
      const found = look.prepare(`SELECT count(*) AS n FROM ${what}`).get()?.n
      look.close()
      return found
    }
    for (let n = 0; n < 30; n += 1) await sampleAt(START_MS + n * 10 * S, n)
    await history.flush()
    // The server was away for two hours: the raw rows are old, but nobody has rolled them up.
    await settle(START_MS + 2 * H)
    expect(count('samples')).toBe(0)
    expect(count('rolled WHERE tier = 1')).toBe(30)
    expect(count('rolled WHERE tier = 2')).toBe(5)
    await settle(START_MS + 7 * H)
    expect(count('rolled WHERE tier = 1')).toBe(0)
    await settle(START_MS + 50 * H)
    expect(count('rolled WHERE tier = 2')).toBe(0)
    expect(count('rolled WHERE tier = 3')).toBe(1)
    await settle(START_MS + 32 * 24 * H)
    expect(count('rolled')).toBe(0)
    expect(count('series')).toBe(0)
  })

  it('deletes no sample that is not rolled up, however old', async () => {
    await sampleAt(START_MS, 1)
    await history.flush()
    const database = await openDatabase(file())
    const rollup = new Rollup()
    rollup.load(database)
    const count = () => Number(database.statement('SELECT count(*) AS n FROM samples').get()?.n)
    retentionStep(database, rollup, START_MS + 9 * H)
    expect(count()).toBe(1)
    while (rollup.step(database, START_MS + 9 * H)) {}
    retentionStep(database, rollup, START_MS + 9 * H)
    expect(count()).toBe(0)
    await database.close()
  })

  it('keeps events 30 days, and terms for ever', async () => {
    history.record(CLUSTER, election(), [started(term(1, 7, 0))])
    const query = { cluster: CLUSTER, ref: REF, limit: 9 }
    await settle(START_MS + 29 * 24 * H)
    expect((await history.events(query)).events).toHaveLength(1)
    await settle(START_MS + 31 * 24 * H)
    expect((await history.events(query)).events).toEqual([])
    expect((await history.terms(query)).terms).toHaveLength(1)
  })

  it('keeps conditions 31 days after their end, and one that lasts for ever', async () => {
    const slow = { kind: 'slow-probe', subject: 'etcd-1', from: at(0), to: at(60) } as const
    const leads = { kind: 'raft-leader', subject: 'etcd-2', from: at(0), to: null, raftTerm: '3' } as const
    history.recordConditions(CLUSTER, [slow, leads])
    const kept = async () => (await history.conditions({ cluster: CLUSTER, from: at(0), to: at(100) })).conditions
    await settle(START_MS + 31 * 24 * H)
    expect(await kept()).toHaveLength(2)
    await settle(START_MS + 31 * 24 * H + 2 * 60 * S)
    expect(await kept()).toEqual([leads])
  })
})
