/**
 * Out of space no record can be written, but one can be deleted: candidates that need one (`onMissingSwitch`
 * halt) stop when the only record that lets them run is gone.
 */
import type { Operation, Outcome } from '../../../lib/election/actions.ts'
import type { Compare } from '../../../lib/election/ports.ts'
import type { Revision } from '../../../lib/election/types.ts'
import type { Caller } from '../caller.ts'
import type { ActionParts } from '../parts.ts'
import { perform } from '../perform.ts'
import { Refused } from '../refused.ts'
import { situationOf } from '../situation.ts'
import type { Undertaking } from '../undertaking.ts'
import type { EngageSwitch } from './engage-switch.ts'
import { requireUntil } from './engage-switch.ts'
import { outOfSpaceOf } from './switch-forecast.ts'
import { requireTyped, type Scope, subjectOf } from './switch-scope.ts'
import { RecordWriting } from './switch-store.ts'
import { NOT_ENGAGED } from './switch-words.ts'

type Plan = { modRevision: string; revision: string; stops: string[]; of: number }

export function stopWithoutRecord(
  parts: ActionParts,
  caller: Caller,
  { scope, input }: { scope: Scope; input: EngageSwitch },
): Promise<Operation> {
  return perform(parts, caller, stoppingWithoutRecord(parts, caller, { scope, input }))
}

export function stoppingWithoutRecord(
  parts: ActionParts,
  caller: Caller,
  { scope, input }: { scope: Scope; input: EngageSwitch },
): Undertaking<Plan> {
  const { operation, reason, match, mode, until, typedName } = input
  const { reach, key, scopeBase64 } = scope
  const writing = new RecordWriting(scope, parts)
  const done = (revision: string, { stops, of }: Plan): Outcome => ({
    is: 'verified',
    words: `The record was deleted, as etcd is out of space: ${stops.length} of ${of} candidates stop${named(stops)}. Arm the switch again once there is space.`,
    revision: revision as Outcome['revision'],
  })
  return {
    verb: 'engage',
    operation,
    subject: subjectOf(scope, match),
    reason,
    asked: { cluster: reach.name, scopeBase64, match, mode, until, withoutRecord: true },
    situation: () => situationOf(reach, null, { actionInFlight: false }),
    prepare: async () => {
      requireUntil(until, parts.clock.nowMs())
      requireTyped(scope, match, typedName)
      const { record, modRevision, revision } = await writing.read()
      const space = await outOfSpaceOf(scope, match, parts.signal)
      if (space !== null && record?.state === 'released')
        return { modRevision, revision, stops: [...space.stops], of: space.of }
      const why = space === null ? 'etcd is not out of space.' : 'There is no released record of this scope to delete.'
      const fix =
        space === null ? 'Engage the switch with its record.' : 'Stop the processes, or revoke their sessions.'
      throw new Refused({ code: 'changed', why, fix })
    },
    act: async (plan) => {
      reach.switchDeleted(scopeBase64, caller.actor.name)
      const compare: Compare[] = [{ key, field: 'mod', is: 'equal', to: plan.modRevision as Revision }]
      const { endpoint } = await writing.read()
      const { succeeded, header } = await writing.send(endpoint, (call) =>
        reach.etcd.txn({ compare, success: [{ type: 'delete', key }] }, call),
      )
      if (succeeded) return done(header.revision, plan)
      return {
        is: 'failed',
        words: `${NOT_ENGAGED}The record was written by somebody else meanwhile.`,
        revision: header.revision,
      }
    },
    verify: async (plan) => {
      const haveArrived = await writing.haveArrived()
      const { isThere, modRevision, revision } = await writing.read()
      if (!isThere) return done(revision, plan)
      if (!haveArrived) return null
      if (modRevision === plan.modRevision) return { is: 'unchanged', revision }
      return { is: 'failed', words: `${NOT_ENGAGED}The record was written by somebody else meanwhile.`, revision }
    },
    notDone: NOT_ENGAGED,
  }
}

const MOST_NAMED = 10

function named(stops: readonly string[]): string {
  if (stops.length === 0) return ''
  const more = stops.length > MOST_NAMED ? ` and ${stops.length - MOST_NAMED} more` : ''
  return `: ${stops.slice(0, MOST_NAMED).join(', ')}${more}`
}
