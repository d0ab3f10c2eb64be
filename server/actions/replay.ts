/** An id is one operation, however often it is sent: what is stored of it, and what waits to be stored. */
import type { Operation } from '../../lib/election/actions.ts'
import { type AuditDraft, type AuditEntry, AuditUnavailable } from '../history/audit.ts'
import { type Caller, isSamePerson } from './caller.ts'
import type { ActionParts } from './parts.ts'
import { Refused } from './refused.ts'
import { operationOf, type Request, UNKNOWN } from './undertaking.ts'

type Asked = Request & { evenUnrecorded?: boolean }

/** The same operation as it stands, null when there is none; throws `Refused` where its id was used for something else. */
export function replay(parts: ActionParts, caller: Caller, what: Asked): Operation | null {
  const entries: (AuditDraft | AuditEntry)[] = [...storedOf(parts, what), ...parts.recorder.waitingOf(what.operation)]
  const intent = entries.find(({ kind }) => kind === 'intent')
  if (intent === undefined) return null
  const isSame =
    intent.verb === what.verb &&
    isSamePerson(intent.actor, caller.actor) &&
    JSON.stringify(intent.asked) === JSON.stringify(what.asked)
  if (!isSame) {
    const why = 'This operation id was used for something else.'
    throw new Refused({ code: 'operation-reused', why, fix: 'Make a new id for each thing that is asked for.' })
  }
  const known = parts.operations.get(what.operation)
  if (known !== null) return known
  const at = 'at' in intent ? intent.at : parts.clock.nowMs()
  const outcome = entries.findLast(({ kind }) => kind === 'outcome')?.outcome ?? UNKNOWN
  return { ...operationOf(caller, what, at), outcome }
}

/** A log that cannot be read keeps nobody from stopping: what looks before it writes may be done a second time. */
function storedOf({ audit }: ActionParts, what: Asked): (AuditDraft | AuditEntry)[] {
  try {
    const found = audit.operation(what.operation)
    return found?.intent ? [found.intent, ...found.outcomes] : []
  } catch (error) {
    if (!(error instanceof AuditUnavailable)) throw error
    if (what.evenUnrecorded) return []
    throw notRecorded(`The audit log cannot be read (${error.message}), so nothing was done.`)
  }
}

export function notRecorded(why: string): Refused {
  return new Refused({
    code: 'not-recorded',
    why,
    fix: 'Free space in the data folder of Tenure, or act with etcdctl.',
  })
}
