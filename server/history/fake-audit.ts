/** An audit log in memory, for unit tests: `refuse` makes it as a full disk does. */
import { type Clock, instant, systemClock } from '../../lib/shared/clock.ts'
import {
  type Audit,
  type AuditDraft,
  type AuditEntry,
  type AuditedOperation,
  type AuditPage,
  type AuditQuery,
  AuditUnavailable,
} from './audit.ts'

export class FakeAudit implements Audit {
  readonly entries: AuditEntry[] = []
  /** Why nothing can be stored now; null when it can. */
  refuse: string | null = null
  private readonly clock: Clock

  constructor(clock: Clock = systemClock) {
    this.clock = clock
  }

  add(draft: AuditDraft): AuditEntry {
    if (this.refuse !== null) throw new AuditUnavailable(this.refuse)
    const number = this.entries.length + 1
    const entry = { ...draft, number, at: instant(this.clock.nowMs()), hash: `hash of ${number}` }
    this.entries.push(entry)
    return entry
  }

  operation(id: string): AuditedOperation | null {
    const own = this.entries.filter(({ operation }) => operation === id)
    if (own.length === 0) return null
    return {
      intent: own.find(({ kind }) => kind === 'intent') ?? null,
      outcomes: own.filter(({ kind }) => kind === 'outcome'),
    }
  }

  unresolved(): AuditEntry[] {
    const isFinal = (id: string) =>
      this.entries.some((entry) => entry.operation === id && entry.outcome && entry.outcome.is !== 'unknown')
    return this.entries.filter(({ kind, operation }) => kind === 'intent' && !isFinal(operation))
  }

  list({ limit, verb, kind, operation }: AuditQuery): AuditPage {
    const wanted = this.entries.filter(
      (entry) =>
        (verb === undefined || entry.verb === verb) &&
        (kind === undefined || entry.kind === kind) &&
        (operation === undefined || entry.operation === operation),
    )
    return { entries: wanted.reverse().slice(0, limit) }
  }

  close(): void {}
}
