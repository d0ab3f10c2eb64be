/** Releases that somebody asked for and that wait for a second person. */
import type { Instant } from '../../../lib/shared/clock.ts'
import { msOf } from '../../../lib/shared/clock.ts'
import type { AuditActor, AuditEntry } from '../../history/audit.ts'

export const CONFIRM_WITHIN_MS = 15 * 60_000

export interface ReleaseRequest {
  cluster: string
  scopeBase64: string
  nonce: string
  /** Of the record that it was asked for. */
  modRevision: string
  actor: AuditActor
  reason: string
  at: Instant
}

/** One stop is asked for once: a newer request takes the place of the older. */
const nameOf = ({ cluster, scopeBase64, nonce }: Pick<ReleaseRequest, 'cluster' | 'scopeBase64' | 'nonce'>) =>
  `${cluster} ${scopeBase64} ${nonce}`

export class ReleaseRequests {
  private readonly waiting = new Map<string, ReleaseRequest>()

  add(request: ReleaseRequest): void {
    this.waiting.set(nameOf(request), request)
  }

  find(stop: Pick<ReleaseRequest, 'cluster' | 'scopeBase64' | 'nonce'>, nowMs: number): ReleaseRequest | null {
    const found = this.waiting.get(nameOf(stop))
    if (found === undefined) return null
    if (nowMs - msOf(found.at) <= CONFIRM_WITHIN_MS) return found
    this.waiting.delete(nameOf(stop))
    return null
  }

  drop(stop: Pick<ReleaseRequest, 'cluster' | 'scopeBase64' | 'nonce'>): void {
    this.waiting.delete(nameOf(stop))
  }

  /** After a restart: the intents of `release` in the audit log, oldest first, that only asked for it. */
  recall(entries: readonly AuditEntry[]): void {
    for (const { asked, seen, actor, reason, at, subject } of entries) {
      const { scopeBase64, nonce, waits } = asked as { scopeBase64?: string; nonce?: string; waits?: boolean }
      if (!waits || subject.cluster === null || scopeBase64 === undefined || nonce === undefined) continue
      const { modRevision = '' } = (seen ?? {}) as { modRevision?: string }
      this.add({ cluster: subject.cluster, scopeBase64, nonce, modRevision, actor, reason, at })
    }
  }
}
