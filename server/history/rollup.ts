/**
 * Rolls samples up from tier to tier. It reads only durable rows and replaces what it writes, so it can
 * be cut off anywhere: a bucket counts as done only with the transaction that moves its tier's mark.
 */
import { type Clock, systemClock } from '../../lib/shared/clock.ts'
import type { Database } from './database.ts'
import { Summary, type SummaryRow } from './sketch.ts'
import { fromStored, toStored } from './thousandths.ts'
import { blockOf, bucketOf, ROLLED, slotOf, TIERS, type Tier } from './tiers.ts'

/** A step ends after the piece in which this is over. */
const STEP_MS = 10
const SERIES_PER_PIECE = 100
const LATE_PER_PIECE = 50
/** Samples are on disk that long after their time, or count as late. */
const SETTLE_MS = 2_000

const RAW_ROWS = `SELECT series_id, value FROM samples WHERE block = ? AND series_id BETWEEN ? AND ?`
const ROLLED_ROWS = `
  SELECT series_id, count, min, max, sketch FROM rolled WHERE tier = ? AND block = ? AND series_id BETWEEN ? AND ?`
const RAW_SERIES = `SELECT DISTINCT series_id FROM samples WHERE block = ? AND series_id > ? LIMIT ?`
const ROLLED_SERIES = `SELECT DISTINCT series_id FROM rolled WHERE tier = ? AND block = ? AND series_id > ? LIMIT ?`
const RAW_NEXT = `SELECT min(block) AS block FROM samples WHERE block >= ?`
const ROLLED_NEXT = `SELECT min(block) AS block FROM rolled WHERE tier = ? AND block >= ?`
const PUT = `
  INSERT INTO rolled (tier, block, series_id, slot, count, min, max, sketch)
  VALUES (:tier, :block, :series_id, :slot, :count, :min, :max, :sketch)
  ON CONFLICT (tier, block, series_id, slot)
  DO UPDATE SET count = excluded.count, min = excluded.min, max = excluded.max, sketch = excluded.sketch`
const MARKS = `SELECT tier, upto_ms FROM rollup_marks`
const MARK = `
  INSERT INTO rollup_marks (tier, upto_ms) VALUES (?, ?) ON CONFLICT (tier) DO UPDATE SET upto_ms = excluded.upto_ms`
const LATE = `SELECT tier, series_id, from_ms FROM rollup_late ORDER BY tier, from_ms LIMIT ?`
const LATE_DONE = `DELETE FROM rollup_late WHERE tier = ? AND series_id = ? AND from_ms = ?`
const LATE_NEXT = `INSERT INTO rollup_late (tier, series_id, from_ms) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`

interface Progress {
  tier: Tier
  fromMs: number
  afterSeries: bigint
}

export class Rollup {
  private upto: number[] = TIERS.map(() => 0)
  private progress: Progress | null = null
  private readonly clock: Clock

  constructor(clock: Clock = systemClock) {
    this.clock = clock
  }

  /** Samples before this come too late for the first tier's turn, also while that is under way. */
  get frontierMs(): number {
    return Math.max(
      this.uptoMs(1),
      this.progress?.tier.index === 1 ? this.progress.fromMs + this.progress.tier.widthMs : 0,
    )
  }

  /** Everything of the tier before this is rolled up. */
  uptoMs(tierIndex: number): number {
    return this.upto[tierIndex] ?? 0
  }

  /** Where an earlier run stopped. */
  load(database: Database): void {
    this.progress = null
    this.upto = TIERS.map(() => 0)
    for (const row of database.statement(MARKS).all()) this.upto[Number(row.tier)] = Number(row.upto_ms)
  }

  /** One short transaction; false when nothing more is due. */
  step(database: Database, nowMs: number): boolean {
    const endMs = this.clock.monoMs() + STEP_MS
    try {
      return database.transact(() => {
        while (this.piece(database, nowMs)) {
          if (this.clock.monoMs() >= endMs) return true
        }
        return false
      })
    } catch (error) {
      this.forget(database)
      throw error
    }
  }

  /** After a failure: only what the file says was done. With no mark at all, nothing is deleted. */
  private forget(database: Database): void {
    try {
      this.load(database)
    } catch {
      this.upto = TIERS.map(() => 0)
    }
  }

  private piece(database: Database, nowMs: number): boolean {
    if (this.rollLate(database)) return true
    for (const tier of ROLLED) {
      const limitMs = tier.index === 1 ? nowMs - SETTLE_MS : this.uptoMs(tier.index - 1)
      if (this.pieceOf(database, tier, limitMs)) return true
    }
    return false
  }

  private pieceOf(database: Database, tier: Tier, limitMs: number): boolean {
    const endMs = bucketOf(tier.widthMs, limitMs)
    const markMs = this.uptoMs(tier.index)
    if (endMs <= markMs) return false
    const fromMs = this.progress?.tier === tier ? this.progress.fromMs : this.nextFrom(database, tier, markMs)
    if (fromMs === null || fromMs >= endMs) {
      this.finish(database, tier, endMs)
      return true
    }
    const afterSeries = this.progress?.tier === tier ? this.progress.afterSeries : -1n
    this.rollSome(database, { tier, fromMs, afterSeries })
    return true
  }

  private finish(database: Database, tier: Tier, uptoMs: number): void {
    database.statement(MARK).run(tier.index, uptoMs)
    this.upto[tier.index] = uptoMs
    this.progress = null
  }

  private nextFrom(database: Database, tier: Tier, markMs: number): number | null {
    const block = Math.floor(markMs / tier.widthMs)
    const row =
      tier.index === 1
        ? database.statement(RAW_NEXT).get(block)
        : database.statement(ROLLED_NEXT).get(tier.index - 1, block)
    const next = row?.block
    return next === null || next === undefined ? null : Number(next) * tier.widthMs
  }

  private rollSome(database: Database, at: Progress): void {
    const { tier, fromMs, afterSeries } = at
    const block = fromMs / tier.widthMs
    const ids = (
      tier.index === 1
        ? database.statement(RAW_SERIES).all(block, afterSeries, SERIES_PER_PIECE)
        : database.statement(ROLLED_SERIES).all(tier.index - 1, block, afterSeries, SERIES_PER_PIECE)
    ).map((row) => row.series_id as bigint)
    const last = ids.at(-1)
    if (last === undefined) {
      this.finish(database, tier, fromMs + tier.widthMs)
      return
    }
    roll(database, { tier, fromMs, first: ids[0] ?? last, last })
    this.progress = { tier, fromMs, afterSeries: last }
  }

  private rollLate(database: Database): boolean {
    const late = database.statement(LATE).all(LATE_PER_PIECE)
    if (late.length === 0) return false
    for (const row of late) {
      const series = row.series_id as bigint
      const fromMs = Number(row.from_ms)
      const tier = TIERS[Number(row.tier)]
      database.statement(LATE_DONE).run(row.tier as bigint, series, fromMs)
      if (tier === undefined) continue
      roll(database, { tier, fromMs, first: series, last: series })
      const next = TIERS[tier.index + 1]
      if (next === undefined) continue
      const nextFromMs = bucketOf(next.widthMs, fromMs)
      if (this.passed(next, nextFromMs)) database.statement(LATE_NEXT).run(next.index, series, nextFromMs)
    }
    return true
  }

  private passed(tier: Tier, fromMs: number): boolean {
    const underWay = this.progress?.tier === tier && this.progress.fromMs === fromMs
    return underWay || fromMs < this.uptoMs(tier.index)
  }
}

/** Replaces the rows of one bucket for a span of series. */
function roll(database: Database, at: { tier: Tier; fromMs: number; first: bigint; last: bigint }): void {
  const { tier, fromMs, first, last } = at
  // A block of the finer tier is exactly one bucket of this one.
  const finer = fromMs / tier.widthMs
  const summaries = new Map<bigint, Summary>()
  const summaryOf = (row: Record<string, unknown>) => {
    const id = row.series_id as bigint
    let summary = summaries.get(id)
    if (summary === undefined) {
      summary = new Summary()
      summaries.set(id, summary)
    }
    return summary
  }
  if (tier.index === 1) {
    for (const row of database.statement(RAW_ROWS).iterate(finer, first, last))
      summaryOf(row).add(fromStored(row.value as bigint))
  } else {
    const rows = database.statement(ROLLED_ROWS).iterate(tier.index - 1, finer, first, last)
    for (const row of rows) summaryOf(row).merge(summaryRow(row))
  }
  const block = blockOf(tier, fromMs)
  const slot = slotOf(tier, fromMs)
  for (const [series_id, summary] of summaries) {
    const { count, sketch, min, max } = summary.toRow()
    const extremes = { min: toStored(min), max: toStored(max) }
    database.statement(PUT).run({ tier: tier.index, block, series_id, slot, count, sketch, ...extremes })
  }
}

export function summaryRow(row: Record<string, unknown>): SummaryRow {
  return {
    count: Number(row.count),
    min: fromStored(row.min as bigint),
    max: fromStored(row.max as bigint),
    sketch: row.sketch as Uint8Array | null,
  }
}
