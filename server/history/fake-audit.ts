/** An audit log in memory, for unit tests: `refuse` makes it as a full disk does. */
import { type Clock, type Instant, instant, systemClock } from '../../lib/shared/clock.ts'
import {
  type Audit,
  type AuditDraft,
  type AuditEntry,
  type AuditedOperation,
  type AuditPage,
  type AuditQuery,
  type AuditSummary,
  AuditUnavailable,
  auditResult,
} from './audit.ts'
import { chainHash, NO_HASH } from './audit-chain.ts'
import { isFound } from './audit-search.ts'
import { InvalidCursor } from './history.ts'

export class FakeAudit implements Audit {
  readonly entries: AuditEntry[] = []
  /** Why nothing can be stored now; null when it can. */
  refuse: string | null = null
  /** Why nothing can be read now, either. */
  refuseReading: string | null = null
  private readonly clock: Clock

  constructor(clock: Clock = systemClock) {
    this.clock = clock
  }

  add(draft: AuditDraft): AuditEntry {
    if (this.refuse !== null) throw new AuditUnavailable(this.refuse)
    const number = this.entries.length + 1
    const body = JSON.stringify({ number, at: instant(this.clock.nowMs()), ...draft })
    const hash = chainHash(this.entries.at(-1)?.hash ?? NO_HASH, body)
    const entry = { ...(JSON.parse(body) as Omit<AuditEntry, 'hash'>), hash }
    this.entries.push(entry)
    return entry
  }

  operation(id: string): AuditedOperation | null {
    if (this.refuseReading !== null) throw new AuditUnavailable(this.refuseReading)
    const own = id === '' ? [] : this.entries.filter(({ operation }) => operation === id)
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

  list(query: AuditQuery): AuditPage {
    const { limit, cursor } = query
    if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw new InvalidCursor(cursor)
    const before = cursor === undefined ? Number.POSITIVE_INFINITY : Number(cursor)
    const isStill = ({ operation, number }: AuditEntry) =>
      query.result !== 'unknown' || this.operation(operation)?.outcomes.at(-1)?.number === number
    const wanted = this.entries
      .filter((entry) => entry.number < before && matches(entry, query) && isStill(entry))
      .reverse()
    const entries = wanted.slice(0, limit)
    const last = entries.at(-1)
    return wanted.length > limit && last ? { entries, nextCursor: String(last.number) } : { entries }
  }

  summary({ from, withoutVerbs = [] }: { from: Instant; withoutVerbs?: readonly string[] }): AuditSummary {
    const all = this.entries.filter(({ verb }) => !withoutVerbs.includes(verb))
    const since = all.filter(({ at }) => at >= from)
    return {
      actions: since.filter(({ kind }) => kind === 'intent' || kind === 'done').length,
      refused: since.filter(({ kind }) => kind === 'refusal').length,
      newest: all.at(-1)?.at ?? null,
    }
  }

  close(): void {}
}

function matches(entry: AuditEntry, query: AuditQuery): boolean {
  const { cluster, ref, verb, kind, result, operation, withoutVerbs = [], search = '', from, to } = query
  const isAsked = <T>(wanted: T | undefined, is: T | null | undefined) => wanted === undefined || wanted === is
  return (
    isAsked(cluster, entry.subject.cluster) &&
    isAsked(ref, entry.subject.ref) &&
    isAsked(verb, entry.verb) &&
    isAsked(kind, entry.kind) &&
    isAsked(result, auditResult(entry)) &&
    operation !== '' &&
    isAsked(operation, entry.operation) &&
    !withoutVerbs.includes(entry.verb) &&
    (from === undefined || entry.at >= from) &&
    (to === undefined || entry.at < to) &&
    (search === '' || isFound(entry, query))
  )
}
