import type { Operation } from '../../lib/election/actions.ts'
import type { Caller } from './caller.ts'
import { reachOf } from './find.ts'
import type { ActionParts } from './parts.ts'
import { perform } from './perform.ts'
import { Refused } from './refused.ts'
import { situationOf } from './situation.ts'
import type { Undertaking } from './undertaking.ts'

type Plan = { from: string; to: string; at: string }

export interface AcknowledgeRollback {
  cluster: string
  operation: string
  reason: string
  /** The revision to which the store went back, as it was seen: another rollback since then is not acknowledged. */
  to: string
}

/** What is in etcd after a restore counts from now on: actions are possible again. Nothing is written to etcd. */
export async function acknowledgeRollback(
  parts: ActionParts,
  caller: Caller,
  input: AcknowledgeRollback,
): Promise<Operation> {
  return perform(parts, caller, acknowledging(parts, input))
}

/** Throws `Refused` for a cluster that is not configured. */
export function acknowledging(parts: ActionParts, input: AcknowledgeRollback): Undertaking<Plan> {
  const { cluster, operation, reason, to } = input
  const reach = reachOf(parts, cluster)
  const rollback = () => reach.view.info.rolledBack
  return {
    verb: 'acknowledgeRollback',
    operation,
    subject: { cluster },
    reason,
    asked: { cluster, to },
    situation: () => situationOf(reach, null),
    prepare: async () => {
      const now = rollback()
      if (now?.to === to) return { from: now.from, to: now.to, at: now.at }
      const is = now === undefined ? 'no rollback to acknowledge' : `a rollback from ${now.from} to ${now.to}`
      const why = `The store was seen to go back to revision ${to}; now there is ${is}.`
      throw new Refused({
        code: 'changed',
        why,
        fix: 'Look at the cluster again.',
        expected: to,
        is: now?.to ?? 'none',
      })
    },
    act: async (plan) => {
      reach.acknowledgeRollback()
      return { is: 'verified', words: `Acknowledged: revision ${plan.to} and later count.`, revision: null }
    },
    verify: async (plan) =>
      rollback() === undefined
        ? { is: 'verified', words: 'Acknowledged.', revision: null }
        : { is: 'unchanged', revision: plan.to },
  }
}
