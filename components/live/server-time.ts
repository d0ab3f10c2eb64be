/** The server's time, carried forward by the browser's monotonic clock. The browser's wall clock is never asked. */
import { type Instant, msOf } from '../../lib/shared/clock.ts'

const DRIFT_MS_PER_S = 1

export class ServerTime {
  private offsetMs = 0
  private observedMs = 0
  known = false

  /**
   * A message can only arrive late, so the largest offset seen is the truest; it ages by a
   * millisecond a second, so that a clock set back is followed too.
   */
  observe(serverTime: Instant, arrivedMs: number): void {
    const offsetMs = msOf(serverTime) - arrivedMs
    const agedMs = this.offsetMs - ((arrivedMs - this.observedMs) / 1000) * DRIFT_MS_PER_S
    this.offsetMs = this.known ? Math.max(offsetMs, agedMs) : offsetMs
    this.observedMs = arrivedMs
    this.known = true
  }

  reset(serverTime: Instant, arrivedMs: number): void {
    this.known = false
    this.observe(serverTime, arrivedMs)
  }

  nowMs(): number {
    return performance.now() + this.offsetMs
  }

  /** How far the browser's wall clock is off, in milliseconds; positive when it is ahead. */
  browserAheadMs(): number {
    return this.known ? Date.now() - this.nowMs() : 0
  }
}
