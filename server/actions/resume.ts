/** After a restart: what was meant and has no final outcome is found out by reading, or gone on with where that is safe. */
import type { AuditEntry, Json } from '../history/audit.ts'
import { acknowledging } from './acknowledge-rollback.ts'
import { confirming } from './confirm-election.ts'
import { handoffAgain } from './handoff/handoff.ts'
import type { HandoffParts } from './handoff/preflight.ts'
import { resume } from './perform.ts'
import { recallReleases, resumeSwitch } from './switches/switch-resume.ts'
import type { Undertaking } from './undertaking.ts'

/** False: nothing more can be told of it. */
type Resume = (parts: HandoffParts, intent: AuditEntry) => boolean

const BY_VERB: ReadonlyMap<string, Resume> = new Map<string, Resume>([
  ['handoff', (parts, intent) => resumed(parts, intent, handoffAgain(parts, intent))],
  ['confirmElection', (parts, intent) => resumed(parts, intent, confirming(parts, intent.actor.name, inputOf(intent)))],
  ['acknowledgeRollback', (parts, intent) => resumed(parts, intent, acknowledging(parts, inputOf(intent)))],
  ['engage', resumeSwitch],
  ['extend', resumeSwitch],
  ['release', resumeSwitch],
  ['confirmRelease', resumeSwitch],
  ['arm', resumeSwitch],
])

/** Never throws: an audit log that cannot be read now leaves nothing to go on with. */
export function resumeAll(parts: HandoffParts): void {
  try {
    recallReleases(parts)
    for (const intent of parts.audit.unresolved()) resumeOne(parts, intent)
  } catch (error) {
    parts.log.error({ reason: String(error) }, 'what was being done before the restart cannot be read')
  }
}

function resumeOne(parts: HandoffParts, intent: AuditEntry): void {
  const { operation, verb, subject } = intent
  try {
    if (BY_VERB.get(verb)?.(parts, intent)) return
    parts.log.warn(
      { operation, verb, subject },
      'an action of an earlier run has no outcome, and cannot be looked into',
    )
  } catch (error) {
    parts.log.error({ operation, verb, reason: String(error) }, 'an action of an earlier run cannot be looked into')
  }
}

function resumed<Plan extends Json>(parts: HandoffParts, intent: AuditEntry, what: Undertaking<Plan> | null): boolean {
  if (what === null) return false
  resume(parts, intent, what)
  return true
}

// What a verb stored as asked is its input without the reason and the id.
function inputOf<Input>({ asked, operation, reason }: AuditEntry): Input {
  return { ...(asked as object), operation, reason } as Input
}
