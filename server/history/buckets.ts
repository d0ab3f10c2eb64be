/** Samples and rolled rows of one series gathered into the buckets of an answer. */

import type { Bucket } from '../../lib/election/series.ts'
import { instant } from '../../lib/shared/clock.ts'
import type { RenewalQuery } from './history.ts'
import { Summary, type SummaryRow } from './sketch.ts'
import { bucketWidthMs, type Tier, tierFor } from './tiers.ts'

export interface Plan {
  tier: Tier
  fromMs: number
  toMs: number
  widthMs: number
  points: number
}

export function planOf(query: RenewalQuery, nowMs: number): Plan {
  const fromMs = Date.parse(query.from)
  const toMs = Math.max(fromMs, Date.parse(query.to))
  const points = Math.min(600, Math.max(1, Math.trunc(query.points)))
  const tier = tierFor(fromMs, nowMs)
  return { tier, fromMs, toMs, widthMs: bucketWidthMs(toMs - fromMs, points, tier), points }
}

export class Buckets {
  private readonly plan: Plan
  private readonly first: number
  private readonly found = new Map<number, Summary>()

  constructor(plan: Plan) {
    this.plan = plan
    this.first = Math.floor(plan.fromMs / plan.widthMs)
  }

  add(atMs: number, value: number): void {
    this.at(atMs).add(value)
  }

  merge(atMs: number, row: SummaryRow): void {
    this.at(atMs).merge(row)
  }

  toList(): Bucket[] {
    return [...this.found]
      .sort(([a], [b]) => a - b)
      .map(([index, summary]) => ({
        from: instant((this.first + index) * this.plan.widthMs),
        ...summary.quantiles(),
      }))
  }

  private at(atMs: number): Summary {
    // A row that began before the range belongs to its first bucket; one point takes everything.
    const index = Math.floor(atMs / this.plan.widthMs) - this.first
    const kept = Math.min(this.plan.points - 1, Math.max(0, index))
    let summary = this.found.get(kept)
    if (summary === undefined) {
      summary = new Summary()
      this.found.set(kept, summary)
    }
    return summary
  }
}
