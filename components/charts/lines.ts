/** Buckets into lines that break where nothing was measured or seen. */
import type { Bucket } from '../../lib/election/series.ts'
import { instant, msOf } from '../../lib/shared/clock.ts'
import type { Period } from './lane-geometry.ts'
import type { Span } from './time-axis.ts'

export interface Point {
  t: number
  /** null breaks the line. */
  v: number | null
  /** Neither neighbour is there: only a dot can show it. */
  alone?: true
}

export interface Spacing {
  bucketMs: number
  /** Longest time between two samples that still count as one run. */
  joinMs: number
}

function crosses(gaps: readonly Period[], fromMs: number, toMs: number): boolean {
  return gaps.some((gap) => gap.fromMs < toMs && gap.toMs > fromMs)
}

/** `pick` reads the drawn value, `scale` fits it to the axis. Points stand in the middle of their bucket. */
export function linePoints(
  buckets: readonly Bucket[],
  pick: (bucket: Bucket) => number,
  spacing: Spacing,
  gaps: readonly Period[],
  span: Span,
): Point[] {
  const points: Point[] = []
  let lastMs: number | null = null
  const margin = spacing.joinMs
  for (const bucket of buckets) {
    const t = msOf(bucket.from) + spacing.bucketMs / 2
    if (t < span.fromMs - margin || t > span.toMs + margin) continue
    if (crosses(gaps, t - 1, t + 1)) continue
    if (lastMs !== null && (t - lastMs > spacing.joinMs || crosses(gaps, lastMs, t))) {
      points.push({ t: (lastMs + t) / 2, v: null })
    }
    points.push({ t, v: pick(bucket) })
    lastMs = t
  }
  return points.map((point, at) => {
    const lonely = point.v !== null && (points[at - 1]?.v ?? null) === null && (points[at + 1]?.v ?? null) === null
    return lonely ? { ...point, alone: true } : point
  })
}

/** The bucket that covers `ms`. */
export function bucketAt(buckets: readonly Bucket[], bucketMs: number, ms: number): Bucket | undefined {
  return buckets.findLast((bucket) => {
    const from = msOf(bucket.from)
    return from <= ms && ms < from + bucketMs
  })
}

export interface Reign {
  lane: string
  fromMs: number
  toMs: number
}

/** Buckets of one leader, a run for each of its reigns; what lies in none of them was the edge of one. */
export function byOwnReign(
  buckets: readonly Bucket[],
  reigns: readonly Reign[],
  lane: string,
  bucketMs: number,
): Bucket[][] {
  const own = reigns.filter((reign) => reign.lane === lane)
  const runs = Map.groupBy(buckets, (bucket) => {
    const from = msOf(bucket.from)
    return own.findLastIndex((reign) => reign.fromMs < from + bucketMs && reign.toMs > from)
  })
  return [...runs.values()]
}

/** Buckets by who led while they were measured, each run its own line. `reigns` ascend. */
export function byReign(
  buckets: readonly Bucket[],
  reigns: readonly Reign[],
  bucketMs: number,
): { lane: string | null; buckets: Bucket[] }[] {
  const runs: { lane: string | null; reign: number; buckets: Bucket[] }[] = []
  for (const bucket of buckets) {
    const middle = msOf(bucket.from) + bucketMs / 2
    const at = reigns.findIndex((reign) => reign.fromMs <= middle && middle < reign.toMs)
    const last = runs.at(-1)
    if (last !== undefined && last.reign === at) last.buckets.push(bucket)
    else runs.push({ lane: reigns[at]?.lane ?? null, reign: at, buckets: [bucket] })
  }
  return runs
}

/** Buckets put together to `wideMs`, a multiple of their own width; extremes are kept. */
export function coarser(buckets: readonly Bucket[], wideMs: number): Bucket[] {
  const wide: Bucket[] = []
  for (const bucket of buckets) {
    const from = instant(Math.floor(msOf(bucket.from) / wideMs) * wideMs)
    const last = wide.at(-1)
    if (last?.from !== from) wide.push({ ...bucket, from })
    else {
      wide[wide.length - 1] = {
        from,
        count: last.count + bucket.count,
        p50: Math.max(last.p50, bucket.p50),
        p95: Math.max(last.p95, bucket.p95),
        p99: Math.max(last.p99, bucket.p99),
        min: Math.min(last.min, bucket.min),
        max: Math.max(last.max, bucket.max),
      }
    }
  }
  return wide
}
