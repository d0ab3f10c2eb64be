/** Quantiles of many durations, exact to the millisecond and without sorting those that are common. */
const COUNTED_MS = 65_536

export class Durations {
  count = 0
  private readonly counts = new Uint32Array(COUNTED_MS)
  private readonly long: number[] = []

  add(ms: number): void {
    const whole = Math.max(0, Math.round(ms))
    this.count += 1
    if (whole < COUNTED_MS) this.counts[whole] = (this.counts[whole] ?? 0) + 1
    else this.long.push(whole)
  }

  /** The least that `share` of them do not exceed; null where there are none. */
  quantile(share: number): number | null {
    if (this.count === 0) return null
    let left = Math.max(1, Math.ceil(this.count * share))
    const short = this.count - this.long.length
    if (left > short) return this.long.toSorted((a, b) => a - b)[left - short - 1] ?? null
    for (const [ms, count] of this.counts.entries()) {
      left -= count
      if (left <= 0) return ms
    }
    return null
  }

  /** How many do not exceed it. */
  within(ms: number): number {
    const short = this.counts.subarray(0, Math.min(COUNTED_MS, Math.floor(ms) + 1)).reduce((sum, each) => sum + each, 0)
    return short + this.long.filter((each) => each <= ms).length
  }
}
