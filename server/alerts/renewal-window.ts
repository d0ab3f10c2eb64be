/** Renewals of the last minutes as holders reported them: few numbers for each election, whoever reports how much. */
import type { ElectionRef } from '../../lib/election/types.ts'

const WINDOW_MS = 5 * 60_000
/** With a renewal every TTL/3 and a TTL of 5 s these are more than three minutes. */
const MOST = 128
const MOST_ELECTIONS = 20_000

interface Ring {
  atMs: Float64Array
  rttMs: Float32Array
  next: number
  /** Nothing in the ring is more. */
  peakMs: number
}

export class RenewalWindow {
  private readonly rings = new Map<ElectionRef, Ring>()

  add(ref: ElectionRef, atMs: number, rttMs: number): void {
    const known = this.rings.get(ref)
    if (known === undefined && this.rings.size >= MOST_ELECTIONS) return
    const ring = known ?? { atMs: new Float64Array(MOST), rttMs: new Float32Array(MOST), next: 0, peakMs: 0 }
    if (known === undefined) this.rings.set(ref, ring)
    ring.atMs[ring.next] = atMs
    ring.rttMs[ring.next] = rttMs
    ring.peakMs = Math.max(ring.peakMs, rttMs)
    ring.next = (ring.next + 1) % MOST
  }

  /** null: none was reported lately, or none of them took longer than `overMs`. */
  over(ref: ElectionRef, nowMs: number, overMs: number): { count: number; p99Ms: number } | null {
    const ring = this.rings.get(ref)
    // Nearly always: no look at each of them is needed.
    if (ring === undefined || ring.peakMs <= overMs) return null
    const recent: number[] = []
    for (let at = 0; at < MOST; at += 1) {
      if ((ring.atMs[at] ?? 0) > nowMs - WINDOW_MS) recent.push(ring.rttMs[at] ?? 0)
    }
    recent.sort((a, b) => a - b)
    ring.peakMs = recent.at(-1) ?? 0
    if (ring.peakMs <= overMs) return null
    return { count: recent.length, p99Ms: recent[Math.ceil(recent.length * 0.99) - 1] ?? 0 }
  }

  forget(ref: ElectionRef): void {
    this.rings.delete(ref)
  }
}
