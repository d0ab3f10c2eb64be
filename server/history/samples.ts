/** Raw samples on their way into the tables. */
import { msOf } from '../../lib/shared/clock.ts'
import type { Database } from './database.ts'
import type { SeriesKey } from './history.ts'
import { toStored } from './thousandths.ts'
import { blockOf, bucketOf, RAW, ROLLED } from './tiers.ts'

export interface Sample {
  series: SeriesKey
  atMs: number
  value: number
}

const HOUR_MS = 3_600_000
const FUTURE_MS = 5 * 60_000
const MAX_VALUE = 1e9
const MIN_VALUE = 1e-3
const MAX_SERIES_CACHED = 50_000

const SERIES = `
  INSERT INTO series (cluster_id, source, ref, member, identity, last_ms)
  VALUES (:cluster_id, :source, :ref, :member, :identity, :last_ms)
  ON CONFLICT (cluster_id, ref, source, member, identity)
  DO UPDATE SET last_ms = max(last_ms, excluded.last_ms)
  RETURNING id`
const SAMPLE = `
  INSERT INTO samples (block, series_id, offset_ms, seq, value)
  VALUES (:block, :series_id, :offset_ms, :seq, :value)
  ON CONFLICT DO NOTHING`
const LATE = `
  INSERT INTO rollup_late (tier, series_id, from_ms) VALUES (1, :series_id, :from_ms) ON CONFLICT DO NOTHING`

/**
 * Null for what would only do harm: no number, from the future, or so old that its raw row would be
 * deleted before it could be rolled up. Values are cut to a range that a sketch holds in few bins.
 */
export function sampleOf(series: SeriesKey, at: string, value: number, nowMs: number): Sample | null {
  const atMs = msOf(at)
  if (!Number.isFinite(value) || value < 0) return null
  if (!(atMs >= nowMs - RAW.keepMs && atMs <= nowMs + FUTURE_MS)) return null
  return { series, atMs, value: value < MIN_VALUE ? 0 : Math.min(MAX_VALUE, value) }
}

export class SampleTable {
  private readonly known = new Map<string, { id: bigint; lastMs: number }>()
  /** Tells samples of one series in one millisecond apart. */
  private seq = 0

  /** After a rolled back transaction: ids it made do not exist. */
  forget(): void {
    this.known.clear()
  }

  /** Inside a transaction. What lies before `frontierMs` is marked to be rolled up again. */
  write(database: Database, clusterId: bigint, at: { sample: Sample; frontierMs: number }): void {
    const { sample, frontierMs } = at
    const series_id = this.seriesId(database, clusterId, sample)
    this.seq = (this.seq + 1) % 65_536
    const block = blockOf(RAW, sample.atMs)
    database.statement(SAMPLE).run({
      block,
      series_id,
      offset_ms: sample.atMs - block * RAW.blockMs,
      seq: this.seq,
      value: toStored(sample.value),
    })
    if (sample.atMs >= frontierMs) return
    const widthMs = ROLLED[0]?.widthMs ?? 0
    database.statement(LATE).run({ series_id, from_ms: bucketOf(widthMs, sample.atMs) })
  }

  private seriesId(database: Database, clusterId: bigint, sample: Sample): bigint {
    const { source, ref = '', member = '', identity = '' } = sample.series
    const key = `${clusterId}\0${source}\0${ref}\0${member}\0${identity}`
    const known = this.known.get(key)
    // `last_ms` is only kept to the hour: a row a sample would double the writes.
    if (known !== undefined && sample.atMs < known.lastMs + HOUR_MS) return known.id
    const row = database.statement(SERIES).get({
      cluster_id: clusterId,
      source,
      ref,
      member,
      identity,
      last_ms: sample.atMs,
    }) as { id: bigint }
    if (this.known.size >= MAX_SERIES_CACHED) this.known.clear()
    this.known.set(key, { id: row.id, lastMs: sample.atMs })
    return row.id
  }
}
