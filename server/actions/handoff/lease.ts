/** What hangs on a lease, and how much of it is left: all of it goes when the lease is revoked. */
import type { HandoffPreflight, LeaseKey } from '../../../lib/election/actions.ts'
import { shown } from '../../../lib/election/ids.ts'
import { EtcdError } from '../../../lib/election/ports.ts'
import type { LeaseId } from '../../../lib/election/types.ts'
import { base64FromLatin1, latin1, latin1FromBase64 } from '../../../lib/shared/bytes.ts'
import type { Reach } from '../reach.ts'
import { READ_WITHIN_MS } from '../read-election.ts'

const MOST_SHOWN = 50

export interface OnLease {
  ttl: HandoffPreflight['ttl'] | 'gone'
  /** base64, in order. null: etcd did not tell. */
  keys: readonly string[] | null
  error?: string
}

/** Never rejects: what etcd does not tell is told as that. */
export async function onLease({ etcd }: Pick<Reach, 'etcd'>, lease: LeaseId, signal: AbortSignal): Promise<OnLease> {
  try {
    const { lease: found } = await etcd.timeToLive(lease, { deadlineMs: READ_WITHIN_MS, keys: true, signal })
    if (found === null) return { ttl: 'gone', keys: [] }
    const { grantedMs, remainingMs } = found
    return { ttl: { grantedMs, remainingMs }, keys: found.keys.map((key) => base64FromLatin1(latin1(key))).sort() }
  } catch (error) {
    if (!(error instanceof EtcdError)) throw error
    return { ttl: null, keys: null, error: error.message }
  }
}

export function sameKeys(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((key, at) => key === other[at])
}

/** Everything on it but the leader's own key, with the elections it takes part in. */
export function othersOn(
  keys: readonly string[],
  own: string,
  { view }: Pick<Reach, 'view'>,
  lease: LeaseId,
): NonNullable<HandoffPreflight['leaseKeys']> {
  const others = keys.filter((key) => key !== own)
  const elections = electionsOn(view, lease)
  const told = others.slice(0, MOST_SHOWN).map((keyBase64): LeaseKey => {
    const { text: key } = shown(latin1FromBase64(keyBase64))
    return { key, keyBase64, election: elections.get(keyBase64) ?? null }
  })
  return { total: others.length, keys: told }
}

function electionsOn(view: Reach['view'], lease: LeaseId): Map<string, NonNullable<LeaseKey['election']>> {
  const found = new Map<string, NonNullable<LeaseKey['election']>>()
  for (const state of view.elections.values()) {
    for (const candidate of state.candidates) {
      if (candidate.lease !== lease || candidate.nested) continue
      found.set(candidate.keyBase64, { ref: state.ref, name: view.nameOf(state) })
    }
  }
  return found
}
