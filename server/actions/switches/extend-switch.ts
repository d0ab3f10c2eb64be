import type { Operation, Outcome } from '../../../lib/election/actions.ts'
import { type Done, extended } from '../../../lib/election/switch-changes.ts'
import type { SwitchRecord } from '../../../lib/election/switches.ts'
import { type Instant, instant, msOf } from '../../../lib/shared/clock.ts'
import type { Caller } from '../caller.ts'
import { reachOf } from '../find.ts'
import type { ActionParts } from '../parts.ts'
import { perform } from '../perform.ts'
import { Refused } from '../refused.ts'
import { situationOf } from '../situation.ts'
import type { Undertaking } from '../undertaking.ts'
import { requireUntil } from './engage-switch.ts'
import { engagedNow } from './release-switch.ts'
import { scopeOf, scopeWords, seenSubject } from './switch-scope.ts'
import { RecordWriting, requireUnused } from './switch-store.ts'
import { failed, momentWords, refusedByEtcd } from './switch-words.ts'

type Plan = { modRevision: string; revision: string; until: string }

export interface ExtendSwitch {
  cluster: string
  scopeBase64: string
  nonce: string
  until: Instant
  reason: string
  operation: string
}

/** It is meant to stand longer: by time alone nothing is ever released. */
export function extendSwitch(parts: ActionParts, caller: Caller, input: ExtendSwitch): Promise<Operation> {
  return perform(parts, caller, extending(parts, caller, input))
}

export function extending(parts: ActionParts, caller: Caller, input: ExtendSwitch): Undertaking<Plan> {
  const { nonce, operation, reason } = input
  const scope = scopeOf(reachOf(parts, input.cluster), input.scopeBase64)
  const { reach, scopeBase64 } = scope
  const { clock, signal } = parts
  const until = instant(msOf(input.until))
  const writing = new RecordWriting(scope, parts)
  const own: Done = { operation, by: caller.actor.name, what: ['extended'] }
  const done = (record: SwitchRecord, revision: string): Outcome => ({
    is: 'verified',
    words: `Extended: ${scopeWords(scope, record.match)} is meant to be released by ${momentWords(record.until)}.`,
    revision: revision as Outcome['revision'],
  })
  return {
    verb: 'extend',
    operation,
    subject: seenSubject(scope),
    reason,
    asked: { cluster: reach.name, scopeBase64, nonce, until },
    situation: () => situationOf(reach, null, { actionInFlight: false }),
    prepare: async () => {
      requireUntil(until, clock.nowMs())
      const { record, modRevision, revision } = await engagedNow(scope, nonce, signal)
      requireUnused(record, own)
      if (until > record.until) return { modRevision, revision, until: record.until }
      const why = `It is meant to be released by ${momentWords(record.until)} already.`
      throw new Refused({ code: 'until', why, fix: 'Give a later time.', expected: record.until, is: until })
    },
    act: async () => {
      const doing = { at: instant(clock.nowMs()), by: caller.actor.name, operation, reason }
      try {
        const written = await writing.change(own, ({ record }) =>
          record?.state === 'engaged' && record.nonce === nonce
            ? extended(record, doing, until)
            : { instead: 'Not extended: the record is another than the one that was seen.' },
        )
        return 'instead' in written ? failed(written.instead) : done(written.record, written.modRevision)
      } catch (error) {
        const refused = refusedByEtcd(error, `${reach.metaPrefix}switch/`)
        if (refused === null) throw error
        return failed(`Not extended, and still engaged. ${refused}`)
      }
    },
    verify: () => writing.verify(own, done),
  }
}
