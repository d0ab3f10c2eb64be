/** What the panel headers read at the cursor, or now. */

import type { Bucket, RenewalSeries } from '../../lib/election/series.ts'
import { instant } from '../../lib/shared/clock.ts'
import { dayAndMonth, milliseconds, timeOfDay } from '../../lib/shared/format.ts'
import type { FailoverParts } from '../charts/bars.ts'
import { type EtcdConditions, wordsAt } from '../charts/condition-bands.ts'
import { bucketAt } from '../charts/lines.ts'
import type { ChartModel } from './detail-chart-model.ts'
import { identityText } from './detail-identity.ts'
import type { Say } from './detail-sentence.ts'
import { stoppedWords } from './switch-words.ts'

const bold = (text: string): Say => ({ text, bold: true })
const plain = (text: string): Say => ({ text })

function changeAt(model: ChartModel, ms: number): Say[] | null {
  const at = model.terms.findIndex((term) => term.toMs === ms && term.end !== null)
  const next = model.terms.find((term) => term.fromMs === ms)
  const before = at === -1 ? undefined : model.byKey.get(model.terms[at]?.key ?? '')
  const after = next === undefined ? undefined : model.byKey.get(next.key)
  if (before === undefined && after === undefined) return null
  const cause = before?.endedBy?.cause
  const left = before === undefined ? '' : `#${before.ordinal} ${identityText(before.leader.identity)}`
  const right = after === undefined ? 'no leader' : `#${after.ordinal} ${identityText(after.leader.identity)}`
  const words = cause === undefined ? [] : [plain(`${cause}: `)]
  return [...words, bold(left === '' ? `${right} begins` : `${left} → ${right}`)]
}

const DAY_MS = 24 * 3_600_000

/** To the second, with the day where it is long ago. */
function momentWords(ms: number, nowMs: number): string {
  const at = instant(ms)
  return nowMs - ms < DAY_MS ? timeOfDay(at) : `${dayAndMonth(at)} ${timeOfDay(at)}`
}

/** Who led at `ms`, or what happened exactly then. */
export function termReadout(model: ChartModel, ms: number | null, nowMs: number): Say[] {
  const at = ms ?? nowMs
  const when = ms === null ? plain('now ') : plain('at ')
  const time = ms === null ? [] : [bold(momentWords(ms, nowMs)), plain('  ')]
  return [when, ...time, ...whatAt(model, at)]
}

/** What etcd itself was like then; nothing where it was well. */
export function etcdReadout(etcd: EtcdConditions, at: number): Say[] {
  return wordsAt(etcd, at).flatMap((words, nth) => [plain(nth === 0 ? '' : '; '), bold(words)])
}

function whatAt(model: ChartModel, at: number): Say[] {
  const gap = model.gaps.find(({ fromMs, toMs }) => fromMs <= at && at < toMs)
  if (gap !== undefined) return [bold('unobserved'), plain(`: ${gap.reason}`)]
  const change = changeAt(model, at)
  if (change !== null) return change
  const term = model.terms.findLast(({ fromMs, toMs, end }) => fromMs <= at && (at < toMs || end === null))
  const shape = term === undefined ? undefined : model.byKey.get(term.key)
  const stop = model.stops.find(({ fromMs, toMs, open }) => fromMs <= at && (at < toMs || open))
  if (shape === undefined && stop !== undefined) return [plain(stoppedWords(stop))]
  if (shape === undefined)
    return [
      bold(model.vacancies.some(({ fromMs, toMs }) => fromMs <= at && at <= toMs) ? 'no leader' : 'no term known'),
    ]
  return [bold(identityText(shape.leader.identity)), plain(' leads '), bold(`#${shape.ordinal}`)]
}

/** Who led at `ms`, or now; null while nobody did. */
export function leaderAt(model: ChartModel, ms: number): string | null {
  const term = model.terms.findLast(({ fromMs, toMs, end }) => fromMs <= ms && (ms < toMs || end === null))
  return term === undefined ? null : (model.byKey.get(term.key)?.leader.identity ?? null)
}

export interface Reading {
  name: string
  /** "no data" where nothing was measured. */
  value: string
}

const NO_DATA = 'no data'

/** The newest bucket when `ms` is null, and only if it is not older than `staleMs` before `nowMs`. */
function pick(series: RenewalSeries, bucketMs: number, ms: number | null, nowMs: number) {
  if (ms !== null) return bucketAt(series.buckets, bucketMs, ms)
  const last = series.buckets.at(-1)
  return last !== undefined && nowMs - Date.parse(last.from) < 3 * bucketMs + 10_000 ? last : undefined
}

export interface ReadingInput {
  series: readonly RenewalSeries[]
  bucketMs: number
  ms: number | null
  nowMs: number
}

export function probeReadings({ series, bucketMs, ms, nowMs }: ReadingInput): Reading[] {
  return series
    .filter(({ source }) => source === 'probe')
    .map((each) => {
      const bucket = pick(each, bucketMs, ms, nowMs)
      return { name: each.member ?? '', value: bucket === undefined ? NO_DATA : milliseconds(bucket.max) }
    })
}

/** p50 and p99 as holders reported them; null while no candidate reports. */
export function holderReadings({ series, bucketMs, ms, nowMs }: ReadingInput): Reading[] | null {
  const holders = series.filter(({ source }) => source === 'holder')
  if (holders.length === 0) return null
  // Around a change, two leaders have measured in one time: the newer one leads.
  const bucket = holders
    .flatMap((each) => pick(each, bucketMs, ms, nowMs) ?? [])
    .reduce<Bucket | undefined>((newest, each) => (newest && newest.from > each.from ? newest : each), undefined)
  return [
    { name: 'p50', value: bucket === undefined ? NO_DATA : milliseconds(bucket.p50) },
    { name: 'p99', value: bucket === undefined ? NO_DATA : milliseconds(bucket.p99) },
  ]
}

/** Renewals of the leader without an answer in the bucket under the cursor; null where there is no cursor, or none. */
export function missedReading({ series, bucketMs, ms }: ReadingInput): number | null {
  if (ms === null) return null
  const missed = series.filter(({ source }) => source === 'missed')
  const found = missed.reduce((sum, { buckets }) => sum + (bucketAt(buckets, bucketMs, ms)?.count ?? 0), 0)
  return found === 0 ? null : found
}

/** `identity` led at the time: around a change, two leaders have a margin in one bucket. */
export function marginReading({ series, bucketMs, ms, nowMs }: ReadingInput, identity: string | null): string {
  const margins = series.filter(({ source }) => source === 'margin')
  const own = margins.filter((each) => (each.identity ?? '') === identity)
  const bucket = [...own, ...margins]
    .map((each) => pick(each, bucketMs, ms, nowMs))
    .find((found) => found !== undefined)
  return bucket === undefined ? NO_DATA : `${Math.floor(bucket.min)} %`
}

/** The failover whose beginning or end the cursor stands on. */
export function failoverAt(failovers: readonly FailoverParts[], ms: number | null): FailoverParts | undefined {
  if (ms === null) return undefined
  return failovers.find(({ atMs, vacancyMs }) => ms <= atMs && ms >= atMs - (vacancyMs ?? 0))
}

/** The least margin in the buckets that begin in that time; null when there are none. */
export function worstMargin(series: readonly RenewalSeries[], fromMs: number, toMs = Infinity): number | null {
  const values = series
    .filter(({ source }) => source === 'margin')
    .flatMap(({ buckets }) =>
      buckets.filter(({ from }) => Date.parse(from) >= fromMs && Date.parse(from) <= toMs).map((bucket) => bucket.min),
    )
  return values.length === 0 ? null : Math.min(...values)
}
