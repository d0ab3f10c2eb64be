import type { Role } from '../../lib/election/policy.ts'
import type { AuditActor } from '../history/audit.ts'

/** Who asks for an action, and how the audit log names them. */
export interface Caller {
  /** null: nobody who may look. */
  role: Role | null
  actor: AuditActor
}

/** The same somebody, whichever browser or token they use. */
export function isSamePerson(one: AuditActor, other: AuditActor): boolean {
  return one.kind === 'loopback' || one.personId === undefined
    ? one.kind === other.kind && one.personId === other.personId
    : one.personId === other.personId
}
