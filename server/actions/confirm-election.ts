import type { Operation } from '../../lib/election/actions.ts'
import { parseRef } from '../../lib/election/ids.ts'
import { KUBERNETES } from '../../lib/election/layouts.ts'
import type { ElectionRef } from '../../lib/election/types.ts'
import type { Caller } from './caller.ts'
import { electionOf } from './find.ts'
import type { ActionParts } from './parts.ts'
import { perform } from './perform.ts'
import { Refused } from './refused.ts'
import { situationOf } from './situation.ts'
import type { Undertaking } from './undertaking.ts'

const NOT_OURS = () =>
  new Refused({
    code: 'kubernetes',
    why: `Keys under ${KUBERNETES} belong to Kubernetes: they are shown, and never acted upon.`,
    fix: 'Use kubectl for its Leases.',
  })

type Plan = { foundBy: string; revision: string }

export interface ConfirmElection {
  cluster: string
  ref: string
  operation: string
  reason: string
}

/** A look-alike is an election from now on, and may be acted upon. Nothing is written to etcd. */
export async function confirmElection(parts: ActionParts, caller: Caller, input: ConfirmElection): Promise<Operation> {
  return perform(parts, caller, confirming(parts, caller.actor.name, input))
}

/** Throws `Refused` for an election that is not there. */
export function confirming(parts: ActionParts, by: string, input: ConfirmElection): Undertaking<Plan> {
  const { cluster, ref, operation, reason } = input
  const { reach, state } = electionOf(parts, cluster, ref)
  const { info } = reach.view
  return {
    verb: 'confirmElection',
    operation,
    subject: { cluster, ref, name: reach.view.nameOf(state) },
    reason,
    asked: { cluster, ref },
    situation: () => situationOf(reach, state),
    prepare: async () => {
      if (parseRef(state.ref).prefixLatin1.startsWith(KUBERNETES)) throw NOT_OURS()
      return { foundBy: state.foundBy, revision: info.revision }
    },
    act: async () => {
      reach.confirm(ref as ElectionRef, by)
      return { is: 'verified', words: 'It counts as an election from now on.', revision: info.revision }
    },
    verify: async () => {
      const is = reach.view.elections.get(ref as ElectionRef)?.confirmed
      return is
        ? { is: 'verified', words: 'It counts as an election.', revision: info.revision }
        : { is: 'unchanged', revision: info.revision }
    },
  }
}
