/** The last minute of probe renewals over all members. */
const WINDOW_MS = 60_000

export class ProbeTimes {
  private samples: { atMonoMs: number; rttMs: number }[] = []

  add(atMonoMs: number, rttMs: number): void {
    this.samples.push({ atMonoMs, rttMs })
    const first = this.samples.findIndex((sample) => sample.atMonoMs > atMonoMs - WINDOW_MS)
    if (first > 60) this.samples.splice(0, first)
  }

  p95Ms(nowMonoMs: number): number | null {
    const recent = this.samples.filter(({ atMonoMs }) => atMonoMs > nowMonoMs - WINDOW_MS).map(({ rttMs }) => rttMs)
    if (recent.length === 0) return null
    return recent.sort((a, b) => a - b)[Math.min(recent.length - 1, Math.floor(recent.length * 0.95))] ?? null
  }
}
