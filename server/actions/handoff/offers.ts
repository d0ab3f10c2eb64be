/** How the leader may be made to go, and why not otherwise. */
import type { HandoffMethod, OfferedMethod } from '../../../lib/election/actions.ts'
import type { KeyValue } from '../../../lib/election/ports.ts'
import type { Seats } from './seat.ts'

export interface OfferFacts {
  seats: Seats
  /** A request that stands already. */
  request: KeyValue | null
  /** null: etcd did not tell which keys hang on the leader's lease. */
  leaseKeys: readonly string[] | null
  leaseKeysError?: string
}

export function methodsOf(facts: OfferFacts): OfferedMethod[] {
  return [ask(facts), revokeSession(facts), removeKey(facts)]
}

/** Removing the key alone is never a default: it needs a reason of its own. */
export function defaultOf(methods: readonly OfferedMethod[]): HandoffMethod | null {
  const first = methods.find(({ offered, method }) => offered && method !== 'remove-key')
  return first?.method ?? null
}

const HELD = 'The kill switch holds this seat: only its release frees it.'

function ask({ seats: { leader, isHeld }, request }: OfferFacts): OfferedMethod {
  const no = (why: string) => ({ method: 'ask' as const, offered: false, why })
  if (leader === null || isHeld) return no(isHeld ? HELD : 'Nobody leads.')
  const { says, identity } = leader
  if (says === null) return no(`${identity} does not use the candidate library: it would not read a request.`)
  if (says.state !== 'leading' && says.state !== 'draining') return no(`${identity} says that it is ${says.state}.`)
  if (request !== null) return no('Another request to hand over stands already.')
  return { method: 'ask', offered: true, why: `${identity} uses the candidate library ${says.version} and answers.` }
}

function revokeSession({ seats: { leader, isHeld }, leaseKeys, leaseKeysError }: OfferFacts): OfferedMethod {
  const no = (why: string) => ({ method: 'revoke-session' as const, offered: false, why })
  if (leader === null || isHeld) return no(isHeld ? HELD : 'Nobody leads.')
  if (leader.lease === null) return no('Its key has no lease that could be revoked.')
  if (leaseKeys === null) {
    return no(`etcd does not tell what else would go with the lease: ${leaseKeysError ?? 'it did not answer'}.`)
  }
  return { method: 'revoke-session', offered: true, why: 'etcd deletes everything on the lease at once, asked or not.' }
}

function removeKey({ seats: { leader, isHeld } }: OfferFacts): OfferedMethod {
  const no = (why: string) => ({ method: 'remove-key' as const, offered: false, why })
  if (leader === null || isHeld) return no(isHeld ? HELD : 'Nobody leads.')
  const why = 'The holder will probably not notice: its lease stays, and it goes on.'
  return { method: 'remove-key', offered: true, why }
}
