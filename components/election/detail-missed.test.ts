import { expect, it } from 'vitest'
import type { Bucket, RenewalSeries } from '../../lib/election/series.ts'
import { instant } from '../../lib/shared/clock.ts'
import { missedMoments } from './detail-plot-lines.ts'
import { missedReading } from './detail-readout.ts'
import { rttSummary } from './detail-summary.ts'

const bucket = (fromMs: number, count: number, value = 1): Bucket => {
  const [p50, p95, p99, min, max] = [value, value, value, value, value]
  return { from: instant(fromMs), count, p50, p95, p99, min, max }
}
const series: RenewalSeries[] = [
  { source: 'holder', identity: 'a', buckets: [bucket(0, 3, 4)] },
  { source: 'missed', identity: 'b', buckets: [bucket(20_000, 1)] },
  { source: 'missed', identity: 'a', buckets: [bucket(10_000, 3)] },
]
const reading = { series, bucketMs: 10_000, nowMs: 60_000 }

it('tells missed renewals where the cursor stands, and never as a round trip', () => {
  expect(missedReading({ ...reading, ms: 12_000 })).toBe(3)
  expect(missedReading({ ...reading, ms: 5_000 })).toBeNull()
  expect(missedReading({ ...reading, ms: null })).toBeNull()
  expect(missedMoments(series, 10_000)).toEqual([15_000, 25_000])
  expect(rttSummary(series, { fromMs: 0, toMs: 60_000 })).toMatch(/: holder a at most 4.0 ms; 4 renewals missed\.$/)
})
