/** What instances report to have been refused, as a count that goes on when an instance ends. */
import type { Claim, ElectionRef } from '../../lib/election/types.ts'

/** Instances report every few seconds: what one says first within this time may have happened before the start. */
const FIRST_REPORTS_MS = 60_000
const MOST_KNOWN = 10_000

export class Rejections {
  private readonly startedMs: number
  private hasLooked = false
  /** By instance; the one heard of longest ago goes first. */
  private readonly known = new Map<string, number>()

  constructor(startedMs: number) {
    this.startedMs = startedMs
  }

  /** The first look is over: who is heard of later began later. */
  looked(): void {
    this.hasLooked = true
  }

  /** How many are new. */
  hear(cluster: string, ref: ElectionRef, claims: readonly Claim[], nowMs: number): number {
    const mayBeOld = !this.hasLooked || nowMs - this.startedMs < FIRST_REPORTS_MS
    let more = 0
    for (const { instance, rejections } of claims) {
      const key = `${cluster} ${ref} ${instance}`
      const before = this.known.get(key) ?? (mayBeOld ? rejections : 0)
      more += Math.max(0, rejections - before)
      this.known.delete(key)
      this.known.set(key, rejections)
    }
    for (const key of this.known.keys()) {
      if (this.known.size <= MOST_KNOWN) break
      this.known.delete(key)
    }
    return more
  }
}
