import type { Operation } from '../../lib/election/actions.ts'
import type { ElectionRef } from '../../lib/election/types.ts'
import type { Caller } from './caller.ts'
import { electionOf } from './find.ts'
import type { ActionParts } from './parts.ts'
import { perform } from './perform.ts'
import { situationOf } from './situation.ts'

export interface ConfirmElection {
  cluster: string
  ref: string
  operation: string
  reason: string
}

/** A look-alike is an election from now on, and may be acted upon. Nothing is written to etcd. */
export function confirmElection(parts: ActionParts, caller: Caller, input: ConfirmElection): Promise<Operation> {
  const { cluster, ref, operation, reason } = input
  const { reach, state } = electionOf(parts, cluster, ref)
  const { info } = reach.view
  return perform(parts, caller, {
    verb: 'confirmElection',
    operation,
    subject: { cluster, ref, name: reach.view.nameOf(state) },
    reason,
    asked: { cluster, ref },
    situation: () => situationOf(reach, state),
    prepare: async () => ({ foundBy: state.foundBy, revision: info.revision }),
    act: async () => {
      reach.confirm(ref as ElectionRef, caller.actor.name)
      return { is: 'verified', words: 'It counts as an election from now on.', revision: info.revision }
    },
    verify: async () => {
      const is = reach.view.elections.get(ref as ElectionRef)?.confirmed
      return is
        ? { is: 'verified', words: 'It counts as an election.', revision: info.revision }
        : { is: 'unchanged', revision: info.revision }
    },
  })
}
