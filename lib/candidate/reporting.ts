/** Tells the dashboard what this candidate measures and believes. Nothing here may ever hold an election up. */
import { randomUUID } from 'node:crypto'
import type { CandidateState } from '../election/presence.ts'
import type { CandidateReport } from '../election/reports.ts'
import type { LeaseId } from '../election/types.ts'
import { base64FromLatin1 } from '../shared/bytes.ts'
import { Mailbox } from './mailbox.ts'
import type { Settings } from './options.ts'
import type { Renewal } from './session.ts'
import type { Term } from './term.ts'

/** Older samples go first: a dashboard that is away must not fill the memory of a worker. */
const MOST_SAMPLES = 500

/** What the dashboard takes for an age: one report beyond it would make it refuse the whole batch. */
const MOST_AGE_MS = 86_400_000
/** And for a round trip: one that was under way while the process was frozen may seem to have taken hours. */
const MOST_RTT_MS = 600_000

interface Facts {
  state: CandidateState
  lease: LeaseId | null
  term: Term | null
}

export class Reporting {
  private readonly settings: Settings
  private readonly facts: () => Facts
  private readonly instance = randomUUID()
  private readonly mailbox: Mailbox | null
  private readonly write = () => this.report()
  private samples: Renewal[] = []
  private missedCount = 0
  private rejections = 0

  constructor(settings: Settings, facts: () => Facts) {
    this.settings = settings
    this.facts = facts
    this.mailbox = settings.reports === null ? null : Mailbox.of(settings.reports)
  }

  renewed(renewal: Renewal): void {
    if (this.mailbox === null) return
    this.samples.push(renewal)
    if (this.samples.length > MOST_SAMPLES) this.samples.shift()
    // A leader's claim must be told anew well before the one told last runs out.
    const { term } = this.facts()
    this.mailbox.later(this.write, term === null ? undefined : term.leftMs / 4)
  }

  missed(): void {
    this.missedCount += 1
  }

  countRejection(): void {
    this.rejections += 1
    this.mailbox?.later(this.write)
  }

  /** A change of state is told at once. */
  changed(): void {
    this.mailbox?.soon(this.write)
  }

  /** Sends the last word, or gives it up. */
  async close(): Promise<void> {
    await this.mailbox?.flush()
  }

  private report(): CandidateReport {
    const { settings, samples, missedCount: missed, rejections } = this
    const { state, lease, term } = this.facts()
    const nowMs = settings.clock.monoMs()
    const claimLeftMs = term === null || term.leftMs === 0 ? null : Math.max(0, term.leftMs)
    this.samples = []
    this.missedCount = 0
    return {
      cluster: settings.reports?.cluster ?? '',
      layout: settings.layout,
      prefixBase64: base64FromLatin1(settings.prefix),
      instance: this.instance,
      identity: settings.identity,
      lease,
      state,
      token: claimLeftMs === null ? null : (term?.token ?? null),
      claimLeftMs,
      lastWorkAgeMs: ageOf(term?.workedMs ?? null, nowMs),
      rejections,
      missed,
      renewals: samples.map(({ sentMs, rttMs }) => ({
        ageMs: ageOf(sentMs, nowMs) ?? 0,
        rttMs: Math.min(MOST_RTT_MS, rttMs),
      })),
    }
  }
}

function ageOf(atMs: number | null, nowMs: number): number | null {
  return atMs === null ? null : Math.min(MOST_AGE_MS, Math.max(0, nowMs - atMs))
}
