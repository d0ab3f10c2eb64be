'use client'
/** The policy as pages ask it: the same function as the server, with what this page sees. */
import { NOWHERE, type Refusal, type Situation, type Verb, whyNot } from '../../lib/election/policy.ts'
import { nextUpOf } from '../../lib/election/queue.ts'
import type { Cluster, ElectionState } from '../../lib/election/types.ts'
import { useMe } from './account.ts'
import { useConnection } from './use-live.ts'

export const IN_THE_PAST: Refusal = {
  code: 'stale',
  why: 'You look at the past: actions are off.',
  fix: 'Back to now.',
}

/** null: it may be done. While who asks is not known, nothing may. */
export function useWhyNot(
  verb: Verb,
  cluster: Cluster,
  state: ElectionState | null,
  more: Partial<Situation> = {},
): Refusal | null {
  const { data: me } = useMe()
  const connection = useConnection()
  const seen: Situation = {
    ...NOWHERE,
    readOnly: cluster.readOnly ? 'cluster' : 'no',
    freshness: connection.state === 'live' ? cluster.freshness : 'stale',
    rolledBack: cluster.rolledBack !== undefined,
    confirmed: state === null ? null : state.confirmed,
    hasStandby: state === null ? null : nextUpOf(state.candidates) !== null,
    actionInFlight: false,
    ...more,
  }
  if (connection.state === 'past') return IN_THE_PAST
  return whyNot(me?.who?.role ?? null, verb, seen)
}

export const wordsOfRefusal = (refusal: Pick<Refusal, 'why' | 'fix'> | null) =>
  refusal === null ? null : `${refusal.why} ${refusal.fix}`
