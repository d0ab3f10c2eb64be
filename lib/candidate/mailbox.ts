/**
 * One batch for all candidates of a process that report of the same cluster to the same dashboard: it refuses
 * a batch as a whole, so that a misspelled cluster must not cost the others their reports.
 */
import type { CandidateReport } from '../election/reports.ts'
import type { ReportOptions } from './options.ts'

type Write = () => CandidateReport

const EVERY_MS = 5_000
/** States change in bursts: a handover tells of both sides in one batch. */
const SOON_MS = 20
const GIVE_UP_MS = 2_000
const MOST_IN_BATCH = 200

export class Mailbox {
  private static readonly all = new Map<string, Mailbox>()
  private readonly options: ReportOptions
  private readonly waiting = new Set<Write>()
  private timer: ReturnType<typeof setTimeout> | undefined
  private dueMs = Number.POSITIVE_INFINITY
  private sending: Promise<void> = Promise.resolve()

  private constructor(options: ReportOptions) {
    this.options = options
  }

  static of(options: ReportOptions): Mailbox {
    const name = JSON.stringify([options.url, options.token, options.cluster])
    const known = Mailbox.all.get(name) ?? new Mailbox(options)
    Mailbox.all.set(name, known)
    return known
  }

  /** With the next batch, within this time. */
  later(write: Write, withinMs = EVERY_MS): void {
    this.put(write, Math.min(withinMs, EVERY_MS))
  }

  soon(write: Write): void {
    this.put(write, SOON_MS)
  }

  /** Sends what waits now; resolves when it was taken or given up. */
  flush(): Promise<void> {
    clearTimeout(this.timer)
    this.dueMs = Number.POSITIVE_INFINITY
    this.sending = this.sending.then(() => this.postAll())
    return this.sending
  }

  /** Written only now: while a dashboard hangs, no batches pile up behind it. */
  private async postAll(): Promise<void> {
    const writes = [...this.waiting]
    this.waiting.clear()
    for (let at = 0; at < writes.length; at += MOST_IN_BATCH)
      await this.post(writes.slice(at, at + MOST_IN_BATCH).map((write) => write()))
  }

  private put(write: Write, withinMs: number): void {
    this.waiting.add(write)
    const dueMs = performance.now() + withinMs
    if (dueMs >= this.dueMs) return
    clearTimeout(this.timer)
    this.dueMs = dueMs
    this.timer = setTimeout(() => void this.flush(), withinMs)
    // Reports alone keep no process alive.
    this.timer.unref()
  }

  /** Dropped without a word when the dashboard is away: it marks the time as not reported. */
  private async post(reports: readonly CandidateReport[]): Promise<void> {
    try {
      const answer = await fetch(this.options.url, {
        method: 'POST',
        headers: { authorization: `Bearer ${this.options.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ v: 1, reports }),
        signal: AbortSignal.timeout(GIVE_UP_MS),
      })
      await answer.body?.cancel()
    } catch {
      // See above.
    }
  }
}
