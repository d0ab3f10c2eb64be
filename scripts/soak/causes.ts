/** Why a term really ended, where what the harness did decides it; and what Tenure may say then. */
import type { Deed, TrueTerm } from './model.ts'

/**
 * - `key`: deleted by its owner, and the lease was proven alive well after.
 * - `expired`: the lease ran out. `revoked`: somebody asked for its end.
 * - `either`: deleted by its owner, whose lease may have gone right after.
 * - `unknown`: nobody here can tell.
 */
export type TrueEnd = 'key' | 'expired' | 'revoked' | 'either' | 'unknown'

const UNKNOWN = 'unobserved'
const ALLOWED: Record<TrueEnd, readonly string[]> = {
  key: ['resigned or removed', UNKNOWN],
  expired: ['lease lost', 'expired', UNKNOWN],
  revoked: ['lease lost', UNKNOWN],
  either: ['resigned or removed', 'lease lost', UNKNOWN],
  unknown: ['resigned or removed', 'lease lost', 'expired', UNKNOWN],
}

export const mayBeTold = (end: TrueEnd, cause: string): boolean => ALLOWED[end].includes(cause)

/** Looked up by key and by lease, because a long soak has many deeds. */
export class Deeds {
  private readonly byLease = new Map<string, Deed[]>()
  private readonly killed: Extract<Deed, { type: 'killed' }>[] = []

  constructor(deeds: readonly Deed[]) {
    for (const deed of deeds) {
      if (deed.type === 'killed') this.killed.push(deed)
      else this.byLease.set(deed.lease, [...(this.byLease.get(deed.lease) ?? []), deed])
    }
  }

  endOf(term: TrueTerm, aliveForMs: number): TrueEnd {
    const { key, lease, toMs, toRevision } = term
    if (toMs === null) return 'unknown'
    const deeds = this.byLease.get(lease) ?? []
    const has = (is: (deed: Deed) => boolean) => deeds.some(is)
    if (has((deed) => deed.type === 'deleted' && deed.key === key && deed.revision === toRevision)) {
      return has((deed) => deed.type === 'alive' && deed.atMs >= toMs + aliveForMs) ? 'key' : 'either'
    }
    const isOurs = has(({ type }) => type === 'granted')
    if (!isOurs) {
      return this.killed.some(({ identity, atMs }) => identity === term.identity && atMs < toMs) ? 'revoked' : 'unknown'
    }
    if (!term.leaseLevel && has((deed) => deed.type === 'delete-unanswered' && deed.key === key)) return 'unknown'
    return has((deed) => deed.type === 'revoke-sent' && deed.atMs <= toMs + 1_000) ? 'revoked' : 'expired'
  }
}
