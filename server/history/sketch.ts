/**
 * Samples of one bucket, merged without losing their quantiles: count, extremes and a DDSketch with
 * 1 % relative error. The library's own protobuf form stores 128 doubles for a single sample and
 * forgets the extremes, hence this one: zero count, then (bin distance, count) pairs as varints.
 */
import { DDSketch } from '@datadog/sketches-js'

export const RELATIVE_ERROR = 0.01

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

function encode(sketch: DDSketch): Uint8Array {
  const bytes: number[] = []
  pushVarint(bytes, sketch.zeroCount)
  const { bins, offset, minKey, maxKey } = sketch.store
  let last = 0
  for (let key = minKey; key <= maxKey; key += 1) {
    const count = bins[key - offset] ?? 0
    if (count === 0) continue
    // Only the first distance can be negative; zigzag keeps it short.
    const distance = key - last
    pushVarint(bytes, distance >= 0 ? distance * 2 : -distance * 2 - 1)
    pushVarint(bytes, count)
    last = key
  }
  return Uint8Array.from(bytes)
}

function decodeInto(sketch: DDSketch, bytes: Uint8Array): void {
  const reader = { bytes, at: 0 }
  const zeroCount = readVarint(reader)
  sketch.zeroCount += zeroCount
  sketch.count += zeroCount
  let key = 0
  while (reader.at < bytes.length) {
    const zigzag = readVarint(reader)
    key += zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2
    const count = readVarint(reader)
    sketch.store.add(key, count)
    sketch.count += count
  }
}

function pushVarint(bytes: number[], value: number): void {
  let left = value
  while (left >= 0x80) {
    bytes.push((left % 0x80) + 0x80)
    left = Math.floor(left / 0x80)
  }
  bytes.push(left)
}

function readVarint(reader: { bytes: Uint8Array; at: number }): number {
  let value = 0
  for (let scale = 1; ; scale *= 0x80) {
    const byte = reader.bytes[reader.at] ?? 0
    reader.at += 1
    value += (byte % 0x80) * scale
    if (byte < 0x80) return value
  }
}
