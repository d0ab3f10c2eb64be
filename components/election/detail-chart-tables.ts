/** The panels of an election as tables: what was measured or seen in the range, and by name what was not. */
import type { Bucket, RenewalSeries, SeriesSource } from '../../lib/election/series.ts'
import { msOf } from '../../lib/shared/clock.ts'
import { totalMs } from '../charts/bars.ts'
import { at, type ChartCell, type ChartTable, isShown, type TimedRow, tableOf } from '../charts/chart-table.ts'
import type { Span } from '../charts/time-axis.ts'
import type { ChartModel } from './detail-chart-model.ts'

const UNOBSERVED = 'unobserved'

/** A row for every stretch in which nothing was seen: a reader of the rows must not take it for quiet. */
function gapRows(model: ChartModel, span: Span, cells: (from: string, to: string, reason: string) => ChartCell[]) {
  return model.gaps
    .filter((gap) => isShown(gap, span))
    .map(({ fromMs, toMs, reason }): TimedRow => {
      const from = Math.max(fromMs, span.fromMs)
      return { fromMs: from, cells: cells(at(from), at(Math.min(toMs, span.toMs)), reason) }
    })
}

const TERM_COLUMNS = [
  'What',
  'From (UTC)',
  'To (UTC)',
  'Term',
  'Epoch',
  'Token',
  'Leader',
  'Without a leader before (ms)',
  'Ended by',
  'Evidence or reason',
]

export function termTable(model: ChartModel, span: Span): ChartTable {
  const terms = model.terms.flatMap((drawn): TimedRow[] => {
    const term = model.byKey.get(drawn.key)
    if (term === undefined || !isShown(drawn, span)) return []
    const { ordinal, epoch, token, leader, from, to, fromAtLeast, gapMs, endedBy } = term
    const ended = endedBy?.by === undefined ? (endedBy?.cause ?? null) : `${endedBy.cause} by ${endedBy.by}`
    const what = fromAtLeast ? 'term, began before' : 'term'
    const cells = [what, from, to, ordinal, epoch, token, leader.identity, gapMs, ended, endedBy?.evidence ?? null]
    return [{ fromMs: drawn.fromMs, cells }]
  })
  const none = [null, null, null, null, null, null]
  const stops = model.stops
    .filter((stop) => isShown(stop, span))
    .map(({ fromMs, toMs, open, by, reason }): TimedRow => {
      const cells = ['kill switch', at(fromMs), open ? null : at(toMs), ...none, `by ${by}: ${reason}`]
      return { fromMs, cells }
    })
  const gaps = gapRows(model, span, (from, to, reason) => [UNOBSERVED, from, to, ...none, reason])
  return tableOf(TERM_COLUMNS, [...terms, ...stops, ...gaps])
}

export interface RenewalInput {
  model: ChartModel
  series: readonly RenewalSeries[]
  bucketMs: number
  span: Span
}

/** `missed` has no times: it is counted. */
function renewalRow({ source, identity, member }: RenewalSeries, bucket: Bucket, bucketMs: number): TimedRow {
  const fromMs = msOf(bucket.from)
  const round = (value: number) => (source === 'missed' ? null : Math.round(value * 1_000) / 1_000)
  const { count, p50, p95, p99, min, max } = bucket
  const values = [p50, p95, p99, min, max].map(round)
  return { fromMs, cells: [at(fromMs), at(fromMs + bucketMs), source, member ?? identity ?? '', count, ...values] }
}

function renewalTable({ model, series, bucketMs, span }: RenewalInput, sources: readonly SeriesSource[], unit: string) {
  const columns = ['From (UTC)', 'To (UTC)', 'Source', 'Member or leader, or why not', 'Count']
  const rows = series
    .filter(({ source }) => sources.includes(source))
    .flatMap((each) => each.buckets.map((bucket) => renewalRow(each, bucket, bucketMs)))
    .filter(({ fromMs }) => isShown({ fromMs, toMs: fromMs + bucketMs }, span))
  const gaps = gapRows(model, span, (from, to, reason) => [from, to, UNOBSERVED, reason, ...Array(6).fill(null)])
  const values = ['p50', 'p95', 'p99', 'Least', 'Most'].map((name) => `${name} (${unit})`)
  return tableOf([...columns, ...values], [...rows, ...gaps])
}

export const rttTable = (input: RenewalInput): ChartTable => renewalTable(input, ['holder', 'probe', 'missed'], 'ms')
export const marginTable = (input: RenewalInput): ChartTable => renewalTable(input, ['margin'], '% of TTL')

const FAILOVER_COLUMNS = [
  'Next leader from (UTC)',
  'Term',
  'Leader, or why not',
  'Detect (ms)',
  'Detect is less by at most (ms)',
  'Refill (ms)',
  'Vacancy (ms)',
  'Takeover (ms)',
  'In all, as far as known (ms)',
]

export function failoverTable(model: ChartModel, span: Span): ChartTable {
  const rows = model.failovers
    .filter(({ atMs }) => isShown({ fromMs: atMs, toMs: atMs }, span))
    .map((parts): TimedRow => {
      const { key, atMs, detectMs, detectErrorMs = null, refillMs = null, vacancyMs, takeoverMs } = parts
      const term = model.byKey.get(key)
      const who = [term?.ordinal ?? null, term?.leader.identity ?? null]
      const cells = [at(atMs), ...who, detectMs, detectErrorMs, refillMs, vacancyMs, takeoverMs, totalMs(parts)]
      return { fromMs: atMs, cells }
    })
  const gaps = gapRows(model, span, (from, to, reason) => {
    return [from, null, `${UNOBSERVED} until ${to}: ${reason}`, ...Array(6).fill(null)]
  })
  return tableOf(FAILOVER_COLUMNS, [...rows, ...gaps])
}
