/** The least that was left on a leader's lease within a while. */

/** A minute: no scrape misses the worst moment. */
const WITHIN_MS = 60_000
const MOST_KEPT = 64

interface Look {
  atMs: number
  /** Lower bound of what was left, as a share of the TTL. */
  ratio: number
}

export class Margins {
  /** The worst first, each better than those before it: one that is older and better can never be the worst again. */
  private looks: Look[] = []

  add(atMs: number, ratio: number): void {
    const from = this.looks.findIndex((look) => look.ratio >= ratio)
    if (from !== -1) this.looks.length = from
    const last = this.looks.at(-1)
    // Rather too bad for a while than unbounded.
    if (last !== undefined && this.looks.length >= MOST_KEPT) last.atMs = atMs
    else this.looks.push({ atMs, ratio })
  }

  clear(): void {
    this.looks = []
  }

  /** null where nothing was sampled within the time, which is longer for a long TTL: it is looked up less often. */
  worst(nowMs: number, grantedMs: number): number | null {
    const fromMs = nowMs - Math.max(WITHIN_MS, grantedMs)
    this.looks = this.looks.filter(({ atMs }) => atMs >= fromMs)
    return this.looks[0]?.ratio ?? null
  }
}
