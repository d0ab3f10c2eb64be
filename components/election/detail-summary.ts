/** Each chart in a sentence, for those who cannot see it. */

import type { Bucket, RenewalSeries } from '../../lib/election/series.ts'
import { instant, msOf } from '../../lib/shared/clock.ts'
import { brief, count, hourAndMinute, milliseconds } from '../../lib/shared/format.ts'
import { type FailoverParts, totalMs } from '../charts/bars.ts'
import type { Span } from '../charts/time-axis.ts'
import type { ChartModel } from './detail-chart-model.ts'
import { ofMissed } from './detail-plot-lines.ts'

const between = ({ fromMs, toMs }: Span) =>
  `between ${hourAndMinute(instant(fromMs))} and ${hourAndMinute(instant(toMs))} UTC`

export function termsSummary(model: ChartModel, span: Span): string {
  const seen = model.terms.filter(({ fromMs, toMs }) => toMs > span.fromMs && fromMs < span.toMs)
  const leaders = new Set(seen.map(({ lane }) => lane)).size
  const lost = seen.filter(({ end, toMs }) => end === 'failover' && toMs >= span.fromMs).length
  const gaps = model.gaps.filter(({ fromMs, toMs }) => toMs > span.fromMs && fromMs < span.toMs).length
  return `${count(seen.length, 'term')} by ${count(leaders, 'leader')} ${between(span)}, ${count(lost, 'failover')}, ${count(gaps, 'unobserved stretch', 'unobserved stretches')}.`
}

function missedIn(series: readonly RenewalSeries[], { fromMs, toMs }: Span): number {
  const inside = ({ from }: Bucket) => msOf(from) >= fromMs && msOf(from) <= toMs
  return ofMissed(series)
    .filter(inside)
    .reduce((sum, bucket) => sum + bucket.count, 0)
}

export function rttSummary(series: readonly RenewalSeries[], span: Span): string {
  const rtt = series.filter(({ source, buckets }) => (source === 'holder' || source === 'probe') && buckets.length > 0)
  if (rtt.length === 0) return `No renewal was measured ${between(span)}.`
  const words = rtt.map(({ source, member, identity, buckets }) => {
    const longest = Math.max(...buckets.map((bucket) => bucket.max))
    return `${source} ${member ?? identity ?? ''} at most ${milliseconds(longest)}`
  })
  const missed = missedIn(series, span)
  const also = missed === 0 ? '' : `; ${count(missed, 'renewal')} missed`
  return `Renewal round trips ${between(span)}: ${words.join('; ')}${also}.`
}

export function marginSummary(least: number | null, span: Span): string {
  return least === null
    ? `The renewal margin was not measured ${between(span)}.`
    : `The least renewal margin ${between(span)} was ${Math.floor(least)} % of the TTL.`
}

export function failoverSummary(failovers: readonly FailoverParts[], span: Span): string {
  const inside = failovers.filter(({ atMs }) => atMs >= span.fromMs && atMs <= span.toMs)
  if (inside.length === 0) return `The leader did not change ${between(span)}.`
  return `${count(inside.length, 'change')} of leader ${between(span)}, the longest took ${brief(Math.max(...inside.map(totalMs)))}.`
}
