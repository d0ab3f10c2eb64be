/**
 * Samples of one bucket, merged without losing their quantiles: count, extremes and a DDSketch with
 * 4 % relative error. The library's own protobuf form stores 128 doubles for a single sample and
 * forgets the extremes, hence the form of `sketch-bytes.ts`: millions of rows are kept.
 */
import { DDSketch } from '@datadog/sketches-js'
import { binsOf, bytesOf } from './sketch-bytes.ts'

export const RELATIVE_ERROR = 0.04

export interface SummaryRow {
  count: number
  min: number
  max: number
  /** Null when every sample had the same value. */
  sketch: Uint8Array | null
}

export interface Quantiles {
  count: number
  p50: number
  p95: number
  p99: number
  min: number
  max: number
}

export class Summary {
  count = 0
  min = Number.POSITIVE_INFINITY
  max = Number.NEGATIVE_INFINITY
  /** Only made for a second value: most buckets of a margin hold a single sample. */
  private sketch: DDSketch | null = null

  /** `value` is finite and not negative. */
  add(value: number, times = 1): void {
    if (this.count > 0 && (this.sketch !== null || value !== this.min)) this.sketchNow().accept(value, times)
    this.widen(times, value, value)
  }

  merge(row: SummaryRow): void {
    if (row.sketch === null) {
      this.add(row.min, row.count)
    } else {
      decodeInto(this.sketchNow(), row.sketch)
      this.widen(row.count, row.min, row.max)
    }
  }

  toRow(): SummaryRow {
    const { count, min, max, sketch } = this
    return { count, min, max, sketch: sketch === null ? null : encode(sketch) }
  }

  quantiles(): Quantiles {
    const { count, min, max, sketch } = this
    const at = (quantile: number) =>
      sketch === null ? min : Math.min(max, Math.max(min, sketch.getValueAtQuantile(quantile)))
    return { count, p50: at(0.5), p95: at(0.95), p99: at(0.99), min, max }
  }

  private sketchNow(): DDSketch {
    if (this.sketch === null) {
      this.sketch = new DDSketch({ relativeAccuracy: RELATIVE_ERROR })
      if (this.count > 0) this.sketch.accept(this.min, this.count)
    }
    return this.sketch
  }

  private widen(count: number, min: number, max: number): void {
    this.count += count
    if (min < this.min) this.min = min
    if (max > this.max) this.max = max
  }
}

function encode({ zeroCount, store }: DDSketch): Uint8Array {
  const { bins, offset, minKey, maxKey } = store
  const counts: number[] = []
  for (let key = minKey; key <= maxKey; key += 1) counts.push(bins[key - offset] ?? 0)
  return bytesOf({ zeroCount, firstKey: minKey, counts })
}

function decodeInto(sketch: DDSketch, bytes: Uint8Array): void {
  const { zeroCount, firstKey, counts } = binsOf(bytes)
  sketch.zeroCount += zeroCount
  sketch.count += zeroCount
  for (const [at, count] of counts.entries()) {
    if (count === 0) continue
    sketch.store.add(firstKey + at, count)
    sketch.count += count
  }
}
