import { randomBytes } from 'node:crypto'
import type { Operation, Outcome } from '../../../lib/election/actions.ts'
import type { SwitchMatch } from '../../../lib/election/scopes.ts'
import { armed, type Done } from '../../../lib/election/switch-changes.ts'
import { instant } from '../../../lib/shared/clock.ts'
import type { Caller } from '../caller.ts'
import { reachOf } from '../find.ts'
import type { ActionParts } from '../parts.ts'
import { perform } from '../perform.ts'
import { Refused } from '../refused.ts'
import { situationOf } from '../situation.ts'
import type { Undertaking } from '../undertaking.ts'
import { scopeOf, scopeWords, subjectOf } from './switch-scope.ts'
import { RecordWriting, requireUnused } from './switch-store.ts'
import { failed, refusedByEtcd } from './switch-words.ts'

type Plan = { revision: string; nonce: string }

export interface ArmSwitch {
  cluster: string
  scopeBase64: string
  match: SwitchMatch
  reason: string
  operation: string
}

/** The first record of a scope, released: candidates that need one (`onMissingSwitch` halt) may run. */
export function armSwitch(parts: ActionParts, caller: Caller, input: ArmSwitch): Promise<Operation> {
  return perform(parts, caller, arming(parts, caller, input))
}

export function arming(parts: ActionParts, caller: Caller, input: ArmSwitch): Undertaking<Plan> {
  const { match, operation, reason } = input
  const scope = scopeOf(reachOf(parts, input.cluster), input.scopeBase64)
  const { reach, scopeBase64 } = scope
  const { clock } = parts
  const writing = new RecordWriting(scope, parts)
  const own: Done = { operation, by: caller.actor.name, what: ['armed'] }
  const done = (revision: string): Outcome => ({
    is: 'verified',
    words: `Armed: ${scopeWords(scope, match)} has a record, which stops nobody.`,
    revision: revision as Outcome['revision'],
  })
  return {
    verb: 'arm',
    operation,
    subject: subjectOf(scope, match),
    reason,
    asked: { cluster: reach.name, scopeBase64, match },
    situation: () => situationOf(reach, null, { actionInFlight: false }),
    prepare: async () => {
      const { record, isThere, revision } = await writing.read()
      requireUnused(record, own)
      if (!isThere) return { revision, nonce: randomBytes(8).toString('hex') }
      const is = record?.state ?? 'unreadable'
      const why = `There is a record of this scope already: ${is}.`
      throw new Refused({ code: 'changed', why, fix: 'A scope is armed once.', expected: 'no record', is })
    },
    act: async ({ nonce }) => {
      const doing = { at: instant(clock.nowMs()), by: caller.actor.name, operation, reason }
      try {
        const written = await writing.change(own, ({ isThere }) =>
          isThere ? { instead: 'Not armed: a record was written meanwhile.' } : armed(doing, match, nonce),
        )
        return 'instead' in written ? failed(written.instead) : done(written.modRevision)
      } catch (error) {
        const refused = refusedByEtcd(error, `${reach.metaPrefix}switch/`)
        if (refused === null) throw error
        return failed(`Not armed. ${refused}`)
      }
    },
    verify: () => writing.verify(own, (_record, modRevision) => done(modRevision)),
  }
}
