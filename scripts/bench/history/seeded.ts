/** Numbers that are the same for the same seed (mulberry32), so that two runs meet the same data. */
export class Seeded {
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** [0, 1) */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = this.state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  whole(below: number): number {
    return Math.floor(this.next() * below)
  }

  pick<T>(of: readonly T[]): T {
    return of[this.whole(of.length)] as T
  }

  /** Around `median`, with the long tail that round trips have: p99 is some 2.5 times the median. */
  roundTripMs(median: number): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next())
    return median * Math.exp(0.4 * normal)
  }
}
