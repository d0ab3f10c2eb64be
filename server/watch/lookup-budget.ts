/** So many requests in any one second, spread out: all of it may be used, none of it is caught up on later. */
const WINDOW_MS = 1_000
/** What may be saved up for one go, as a share of a second. */
const SAVED_S = 0.1

export class LookupBudget {
  private readonly perSecond: number
  private allowance = 0
  private lastMs: number
  /** When each request of the last second was made, oldest first. */
  private made: number[] = []

  constructor(perSecond: number, nowMonoMs: number) {
    this.perSecond = perSecond
    this.lastMs = nowMonoMs
  }

  /** How many may be made now. */
  room(nowMonoMs: number): number {
    const { perSecond } = this
    const earned = ((nowMonoMs - this.lastMs) * perSecond) / WINDOW_MS
    this.allowance = Math.min(perSecond * SAVED_S, this.allowance + earned)
    this.lastMs = nowMonoMs
    const first = this.made.findIndex((atMs) => atMs > nowMonoMs - WINDOW_MS)
    this.made.splice(0, first < 0 ? this.made.length : first)
    return Math.min(Math.floor(this.allowance), perSecond - this.made.length)
  }

  spend(nowMonoMs: number): void {
    this.allowance -= 1
    this.made.push(nowMonoMs)
  }
}
