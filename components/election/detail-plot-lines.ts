/** Renewal series as the lines that the panels draw. */

import type { Bucket, RenewalSeries } from '../../lib/election/series.ts'
import { msOf } from '../../lib/shared/clock.ts'
import type { PlotBand, PlotLine } from '../charts/line-plot.tsx'
import { byOwnReign, byReign, linePoints, type Spacing } from '../charts/lines.ts'
import type { EndLabel } from '../charts/rtt-chart.tsx'
import type { Span } from '../charts/time-axis.ts'
import { onRttScale, rttY } from '../charts/value-axis.ts'
import type { ChartModel } from './detail-chart-model.ts'
import { laneColour } from './lane-colours.ts'

const PROBE_DASHES = ['3 2.5', '1.5 2.5', '6 2.5', '6 2 1.5 2'] as const
const PROBE_JOIN_MS = 2_600
const LABEL_PX = 12

export interface LineInput {
  model: ChartModel
  series: readonly RenewalSeries[]
  bucketMs: number
  span: Span
  /** The leader's granted TTL: margins are sampled several times in it. */
  ttlMs: number | null
}

const colourIn = (model: ChartModel, lane: string | null) =>
  lane === null ? 'var(--t3)' : laneColour(model.lanes.find(({ key }) => key === lane)?.colour)

const ofSource = (series: readonly RenewalSeries[], source: RenewalSeries['source']) =>
  series.filter((each) => each.source === source)

export function ofMissed(series: readonly RenewalSeries[]): Bucket[] {
  return ofSource(series, 'missed').flatMap(({ buckets }) => buckets)
}

/** Moments in which renewals got no answer in time, as the leader reported; ascending. */
export function missedMoments(series: readonly RenewalSeries[], bucketMs: number): number[] {
  return ofMissed(series)
    .map(({ from }) => msOf(from) + bucketMs / 2)
    .sort((a, b) => a - b)
}

function spacing(bucketMs: number, sampleMs: number): Spacing {
  return { bucketMs, joinMs: Math.max(bucketMs * 1.6, sampleMs) }
}

/** Every probe dashed, each member with a dash of its own. */
export function probeLines({ model, series, bucketMs, span }: LineInput): PlotLine[] {
  return ofSource(series, 'probe').map(({ member, buckets }, at) => ({
    key: `probe ${member}`,
    points: linePoints(buckets, ({ max }) => onRttScale(max), spacing(bucketMs, PROBE_JOIN_MS), model.gaps, span),
    colour: 'var(--t1)',
    width: 1.3,
    dash: PROBE_DASHES[at % PROBE_DASHES.length] ?? '3 2.5',
    halo: true,
  }))
}

/** One run a reign. A shared identity says nothing of the lane: then whoever led at the time does. */
function runsOf({ model, bucketMs }: LineInput, { identity, buckets }: RenewalSeries) {
  const own = model.lanes.find(({ key }) => key === `=${identity}`)
  return own === undefined
    ? byReign(buckets, model.reigns, bucketMs)
    : byOwnReign(buckets, model.reigns, own.key, bucketMs).map((run) => ({ lane: own.key, buckets: run }))
}

/** Holders are solid, each in its colour: the median bold, the 99th percentile thin, the room between tinted. */
export function holderLines(input: LineInput): { lines: PlotLine[]; bands: PlotBand[] } {
  const { model, series, bucketMs, span, ttlMs } = input
  const lines: PlotLine[] = []
  const bands: PlotBand[] = []
  const points = (buckets: readonly Bucket[], pick: (bucket: Bucket) => number) =>
    linePoints(
      buckets,
      (bucket) => onRttScale(pick(bucket)),
      spacing(bucketMs, Math.max(bucketMs * 3, (ttlMs ?? 0) * 0.9)),
      model.gaps,
      span,
    )
  for (const each of ofSource(series, 'holder')) {
    for (const [at, run] of runsOf(input, each).entries()) {
      const colour = colourIn(model, run.lane)
      const key = `holder ${each.identity} ${at}`
      const low = points(run.buckets, ({ p50 }) => p50)
      const high = points(run.buckets, ({ p99 }) => p99)
      lines.push(
        { key: `${key} p99`, points: high, colour, width: 1.1 },
        { key: `${key} p50`, points: low, colour, width: 2 },
      )
      bands.push({
        key,
        colour,
        points: low.map(({ t, v }, index) => {
          const top = high[index]?.v ?? null
          return { t, band: v === null || top === null ? null : [v, top] }
        }),
      })
    }
  }
  return { lines, bands }
}

export function marginLines(input: LineInput): PlotLine[] {
  const { model, series, bucketMs, span, ttlMs } = input
  return ofSource(series, 'margin').flatMap((each) => {
    return runsOf(input, each).map((run, at) => ({
      key: `margin ${each.identity} ${at}`,
      points: linePoints(run.buckets, ({ min }) => min, spacing(bucketMs, (ttlMs ?? 0) / 2), model.gaps, span),
      colour: colourIn(model, run.lane),
      width: 1.8,
    }))
  })
}

/** Names at the right ends of lines, moved apart where they would touch. */
export function endLabels(
  lines: readonly { key: string; text: string; points: PlotLine['points'] }[],
  height: number,
): EndLabel[] {
  const wanted = lines.flatMap(({ key, text, points }) => {
    const last = points.findLast(({ v }) => v !== null)
    return last?.v == null ? [] : [{ key, text, y: rttY(last.v, height) }]
  })
  const sorted = wanted.toSorted((a, b) => b.y - a.y)
  let ceiling = height
  return sorted.map((label) => {
    const y = Math.min(label.y, ceiling)
    ceiling = y - LABEL_PX
    return { ...label, y }
  })
}
