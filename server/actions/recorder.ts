/** Stores what has happened as soon as the audit log takes it, in order; an intent is stored before, or refused. */

import { sleep } from '../../lib/shared/abort.ts'
import type { Clock } from '../../lib/shared/clock.ts'
import { type Audit, type AuditDraft, type AuditEntry, AuditUnavailable } from '../history/audit.ts'
import type { Log } from '../watch/log.ts'
import { cutAsked } from './raw-request.ts'
import { RefusalLimit } from './strangers.ts'

const TRY_AGAIN_MS = 1_000
/** Of what people did besides acting: sign-ins must not fill the memory while the disk is full. */
const MOST_DONE = 10_000

interface RecorderOptions {
  audit: Audit
  clock: Clock
  log: Log
  signal: AbortSignal
}

export class Recorder {
  private readonly options: RecorderOptions
  private readonly waiting: AuditDraft[] = []
  private readonly limit = new RefusalLimit()
  private trying = false

  constructor(options: RecorderOptions) {
    this.options = options
  }

  /** Entries that are not stored yet. */
  get behind(): number {
    return this.waiting.length
  }

  /** Of one operation, what is not stored yet, oldest first. */
  waitingOf(operation: string): AuditDraft[] {
    return this.waiting.filter((draft) => draft.operation === operation)
  }

  /** Throws `AuditUnavailable` when it cannot be stored now. */
  store(draft: AuditDraft): AuditEntry {
    if (this.waiting.length > 0) throw new AuditUnavailable(`${this.waiting.length} earlier entries wait to be stored`)
    return this.options.audit.add(draft)
  }

  /** Never throws: it is tried until it is stored, or until the server stops. */
  keep(draft: AuditDraft): void {
    if (draft.kind === 'done' && this.waiting.length >= MOST_DONE) {
      this.options.log.error(
        { verb: draft.verb, behind: this.waiting.length },
        'not stored in the audit log: too much waits',
      )
      return
    }
    this.waiting.push(draft)
    this.storeWaiting()
    if (this.waiting.length > 0 && !this.trying) void this.tryUntilStored()
  }

  /** Never throws: nothing was done, so that one that cannot be stored now is logged and let go. */
  refusal(draft: AuditDraft): void {
    const { audit, clock, log } = this.options
    const drafts = this.limit.take({ ...draft, asked: cutAsked(draft.asked) }, clock.monoMs())
    try {
      for (const each of drafts) audit.add(each)
    } catch (reason) {
      const { verb, operation } = draft
      log.error({ reason: String(reason), verb, operation }, 'a refusal could not be stored in the audit log')
    }
  }

  private storeWaiting(): void {
    try {
      for (let next = this.waiting[0]; next !== undefined; next = this.waiting[0]) {
        this.options.audit.add(next)
        this.waiting.shift()
      }
    } catch (error) {
      if (!(error instanceof AuditUnavailable)) throw error
      this.options.log.warn({ reason: error.message, behind: this.waiting.length }, 'the audit log cannot be written')
    }
  }

  private async tryUntilStored(): Promise<void> {
    this.trying = true
    while (this.waiting.length > 0 && !this.options.signal.aborted) {
      await sleep(TRY_AGAIN_MS, this.options.signal)
      this.storeWaiting()
    }
    this.trying = false
  }
}
