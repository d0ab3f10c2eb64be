/** What is counted of one election since the server started. */
import type { Fact } from '../../lib/election/changes.ts'
import { isFailover, isPending } from '../../lib/election/terms.ts'
import { type TransitionParts, transitionParts } from '../../lib/election/transitions.ts'
import { CAUSES, type Cause, type Cluster, type ElectionState, type Term } from '../../lib/election/types.ts'
import { msOf } from '../../lib/shared/clock.ts'
import { Margins } from './margins.ts'

/** What only ever grows. */
export interface Counts {
  ended: Record<Cause, number>
  leaderlessMs: number
  rejections: number
}

export function noCounts(): Counts {
  return {
    ended: Object.fromEntries(CAUSES.map((cause) => [cause, 0])) as Record<Cause, number>,
    leaderlessMs: 0,
    rejections: 0,
  }
}

export function addCounts(to: Counts, { ended, leaderlessMs, rejections }: Counts): void {
  for (const cause of CAUSES) to.ended[cause] += ended[cause]
  to.leaderlessMs += leaderlessMs
  to.rejections += rejections
}

export class ElectionTally {
  counts = noCounts()
  /** An instance has reported, so that there is a count of rejections. */
  hasReports = false
  readonly margins = new Margins()
  failover: TransitionParts | null = null
  private countedEnd = ''
  /** Until then the time without a leader is counted, or was not seen. */
  private countedToMs: number

  constructor(startedMs: number) {
    this.countedToMs = startedMs
  }

  take(fact: Fact): void {
    switch (fact.type) {
      case 'term-started':
        this.margins.clear()
        this.led(fact.term)
        break
      case 'term-ended':
        if (!isPending(fact.term.endedBy)) this.ended(fact.term)
        break
      case 'term-explained':
        this.ended(fact.term)
        break
      case 'gap':
        this.countedToMs = Math.max(this.countedToMs, msOf(fact.gap.to))
        break
      default:
    }
  }

  /** Nobody leads: the time until now counts, but none after the cluster was seen last. */
  leaderlessUntil({ leaderlessSince }: ElectionState, { asOf, freshness }: Cluster, nowMs: number): void {
    if (leaderlessSince === null || asOf === null) return
    const toMs = freshness === 'live' ? nowMs : Math.min(nowMs, msOf(asOf))
    this.countLeaderless(msOf(leaderlessSince), toMs)
  }

  /** The newest failover that the state remembers; otherwise the one before it stands. */
  rememberFailover({ ended, term }: ElectionState): void {
    const at = ended.findLastIndex(({ endedBy }) => isFailover(endedBy))
    const last = ended[at]
    if (last === undefined) return
    const next = ended[at + 1] ?? term
    this.failover = transitionParts(
      'failover',
      { silentMs: last.silentMs, refillMs: last.refillMs ?? null },
      next ?? { gapMs: null, takeoverMs: null },
    )
  }

  /** Gives away what was counted, to be counted elsewhere. */
  drain(): Counts {
    const { counts } = this
    this.counts = noCounts()
    return counts
  }

  /** A held key that was given back ends the same term a second time: it counts once. */
  private ended({ epoch, token, endedBy }: Term): void {
    const end = `${epoch} ${token}`
    if (endedBy === null || end === this.countedEnd) return
    this.countedEnd = end
    this.counts.ended[endedBy.cause] += 1
  }

  /** A time without a leader that was seen from its beginning to its end. */
  private led({ from, gapMs }: Term): void {
    const toMs = msOf(from)
    if (gapMs !== null) this.countLeaderless(toMs - gapMs, toMs)
    this.countedToMs = Math.max(this.countedToMs, toMs)
  }

  private countLeaderless(sinceMs: number, toMs: number): void {
    const fromMs = Math.max(sinceMs, this.countedToMs)
    if (toMs <= fromMs) return
    this.counts.leaderlessMs += toMs - fromMs
    this.countedToMs = toMs
  }
}
