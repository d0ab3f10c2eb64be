/** `elections.renewals`: the samples of an election, and the probes of its cluster, in buckets. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Selectable } from 'kysely'
import type { RenewalSeries, SeriesSource } from '../../lib/election/series.ts'
import { Buckets, type Plan } from './buckets.ts'
import type { Database } from './database.ts'
import type { RenewalQuery } from './history.ts'
import { type Rollup, summaryRow } from './rollup.ts'
import type { SeriesTable } from './schema.ts'
import { fromStored } from './thousandths.ts'
import { blockOf, RAW, TIERS, type Tier } from './tiers.ts'

const MAX_SERIES = 64
const HOUR_MS = 3_600_000

type SeriesRow = Selectable<SeriesTable>

export interface Source {
  database: Database
  rollup: Rollup
}

export async function readRenewals(source: Source, query: RenewalQuery, plan: Plan): Promise<RenewalSeries[]> {
  const series: RenewalSeries[] = []
  for (const row of await seriesRows(source.database, query, plan)) {
    const buckets = await bucketsOf(source, row.id, plan)
    const list = buckets.toList()
    if (list.length > 0) series.push({ ...labelsOf(row), buckets: list })
    await nextTurn()
  }
  return series
}

function labelsOf(row: SeriesRow): Omit<RenewalSeries, 'buckets'> {
  return {
    source: row.source as SeriesSource,
    ...(row.identity === '' ? {} : { identity: row.identity }),
    ...(row.member === '' ? {} : { member: row.member }),
  }
}

async function seriesRows(database: Database, query: RenewalQuery, plan: Plan): Promise<SeriesRow[]> {
  const rows = await database.db
    .selectFrom('series')
    .innerJoin('clusters', 'clusters.id', 'series.cluster_id')
    .selectAll('series')
    .where('clusters.name', '=', query.cluster)
    .where('series.ref', 'in', ['', query.ref])
    .where('series.last_ms', '>', BigInt(plan.fromMs - HOUR_MS))
    .orderBy('series.last_ms', 'desc')
    .limit(MAX_SERIES)
    .execute()
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** What the planned tier has not rolled up yet comes from the finer ones. */
async function bucketsOf(source: Source, series: bigint, plan: Plan): Promise<Buckets> {
  const buckets = new Buckets(plan)
  let fromMs = plan.fromMs
  for (const tier of TIERS.slice(1, plan.tier.index + 1).reverse()) {
    const toMs = Math.min(plan.toMs, source.rollup.uptoMs(tier.index))
    if (fromMs >= toMs) continue
    await mergeRolled(source.database, { series, tier, fromMs, toMs }, buckets)
    fromMs = toMs
  }
  if (fromMs < plan.toMs) await addRaw(source.database, { series, tier: RAW, fromMs, toMs: plan.toMs }, buckets)
  return buckets
}

interface Span {
  series: bigint
  tier: Tier
  fromMs: number
  toMs: number
}

function blocksOf({ tier, fromMs, toMs }: Span): bigint[] {
  const first = blockOf(tier, fromMs - tier.widthMs)
  const last = blockOf(tier, toMs - 1)
  return Array.from({ length: last - first + 1 }, (_, at) => BigInt(first + at))
}

async function mergeRolled(database: Database, span: Span, buckets: Buckets): Promise<void> {
  for (const blocks of chunks(blocksOf(span))) {
    const rows = await database.db
      .selectFrom('rolled')
      .select(['block', 'slot', 'count', 'min', 'max', 'sketch'])
      .where('tier', '=', BigInt(span.tier.index))
      .where('block', 'in', blocks)
      .where('series_id', '=', span.series)
      .execute()
    for (const row of rows) {
      const fromMs = Number(row.block) * span.tier.blockMs + Number(row.slot) * span.tier.widthMs
      if (fromMs > span.fromMs - span.tier.widthMs && fromMs < span.toMs) buckets.merge(fromMs, summaryRow(row))
    }
  }
}

async function addRaw(database: Database, span: Span, buckets: Buckets): Promise<void> {
  for (const blocks of chunks(blocksOf(span))) {
    const rows = await database.db
      .selectFrom('samples')
      .select(['block', 'offset_ms', 'value'])
      .where('block', 'in', blocks)
      .where('series_id', '=', span.series)
      .execute()
    for (const row of rows) {
      const atMs = Number(row.block) * RAW.blockMs + Number(row.offset_ms)
      if (atMs >= span.fromMs && atMs < span.toMs) buckets.add(atMs, fromStored(row.value))
    }
  }
}

function* chunks(blocks: bigint[]): Generator<bigint[]> {
  for (let at = 0; at < blocks.length; at += 200) yield blocks.slice(at, at + 200)
}
