/** Everything that was tried: what was meant before it was done, what came of it, and what was refused. Only ever added to. */
import type { Outcome } from '../../lib/election/actions.ts'
import type { Instant } from '../../lib/shared/clock.ts'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

export interface AuditActor {
  kind: 'person' | 'token' | 'loopback' | 'anonymous' | 'nobody'
  /** As people read it: a name, "everybody on this machine", "nobody". */
  name: string
  /** Of a person, also behind a token. */
  personId?: string
  /** Name of the API token. */
  token?: string
  /** Where the request came from: an address. */
  address: string
}

/** What an entry is about. Bytes are escaped, with base64 beside them. */
export interface AuditSubject {
  cluster: string | null
  /** Of an election. */
  ref?: string
  name?: string
  /** Of a kill switch. */
  scope?: string
  scopeBase64?: string
  /** Of what was done about somebody who may sign in. */
  person?: { id: string; name: string }
}

export const AUDIT_KINDS = ['intent', 'outcome', 'refusal', 'note', 'done'] as const
export type AuditKind = (typeof AUDIT_KINDS)[number]

/** How a thing ended that has ended: an intent without an outcome and a note have none. */
export const AUDIT_RESULTS = ['verified', 'failed', 'unknown', 'refused', 'done'] as const
export type AuditResult = (typeof AUDIT_RESULTS)[number]

export function auditResult({ kind, outcome }: Pick<AuditDraft, 'kind' | 'outcome'>): AuditResult | null {
  if (kind === 'refusal') return 'refused'
  if (kind === 'done') return 'done'
  return kind === 'outcome' ? (outcome?.is ?? null) : null
}

export interface AuditDraft {
  /**
   * - `intent`: stored before anything is done.
   * - `outcome`: what came of an intent. `unknown` may be followed by one that is final, never a final one by another.
   * - `refusal`: nothing was done.
   * - `note`: something that nobody asked for, such as a head that an enforced stop had to hold anew.
   * - `done`: done in Tenure's own store, at once and without an intent: a sign-in, a person added.
   */
  kind: AuditKind
  /** Empty where a stranger was refused: that is found as no operation. */
  operation: string
  verb: string
  actor: AuditActor
  subject: AuditSubject
  reason: string
  /** What was asked for: the input without secrets. */
  asked: Json
  /** What was read in etcd before it, with the revision. */
  seen: Json
  /** Of an outcome. */
  outcome?: Outcome
  /** Of a refusal: its code. */
  code?: string
  /** Of a refusal, a note or what was done, in a sentence. */
  words?: string
  /** Of an outcome: since the intent. */
  durationMs?: number
}

export interface AuditEntry extends AuditDraft {
  /** 1, 2, 3 …: the place in the chain. */
  number: number
  at: Instant
  /** SHA-256 over the entry before and this one, in hex. */
  hash: string
}

export interface AuditQuery {
  cluster?: string
  ref?: string
  verb?: string
  kind?: AuditKind
  /** `unknown`: no later outcome tells. */
  result?: AuditResult
  operation?: string
  /** Entries of these verbs are left out. */
  withoutVerbs?: readonly string[]
  /** In any text that is shown, in whatever case; 3 characters or more. */
  search?: string
  /** Whether `search` looks at addresses, too: no for whom they are hidden from. Default: it does. */
  searchAddresses?: boolean
  /** Inclusive. */
  from?: Instant
  /** Exclusive. */
  to?: Instant
  cursor?: string
  /** 1–1,000 */
  limit: number
}

export interface AuditPage {
  /** Newest first. */
  entries: AuditEntry[]
  nextCursor?: string
}

/** What has happened since a time. */
export interface AuditSummary {
  /** Things done or meant: intents and what was done at once. */
  actions: number
  refused: number
  /** Of all there is; null of an empty log. */
  newest: Instant | null
}

/** An operation as the log knows it. */
export interface AuditedOperation {
  /** null where it was refused before anything was meant. */
  intent: AuditEntry | null
  /** Newest last. */
  outcomes: AuditEntry[]
}

export interface Audit {
  /** Durable when it returns. Throws `AuditUnavailable`: then nothing was stored. */
  add(draft: AuditDraft): AuditEntry
  /** null when nothing is known of it, and always for the empty id. */
  operation(id: string): AuditedOperation | null
  /** Intents without a final outcome, oldest first: what a restart has to resolve. */
  unresolved(): AuditEntry[]
  /** Newest first. Throws `AuditUnavailable`, and `InvalidCursor` of the history for a cursor that is none. */
  list(query: AuditQuery): AuditPage
  /** Throws `AuditUnavailable`. */
  summary(query: { from: Instant; withoutVerbs?: readonly string[] }): AuditSummary
  close(): void
}

export class AuditUnavailable extends Error {
  override readonly name = 'AuditUnavailable'
}
