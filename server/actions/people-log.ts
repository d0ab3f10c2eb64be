/**
 * Sign-ins, people, tokens and links in the audit log. They are done first and recorded then: a log that
 * cannot be written must not keep an admin from locking somebody out. What cannot be stored at once is
 * stored as soon as it can be, unless the server stops before.
 */
import { randomUUID } from 'node:crypto'
import type { AccountVerb } from '../../lib/election/account-verbs.ts'
import type { AuditActor, AuditDraft, AuditSubject, Json } from '../history/audit.ts'
import type { ActionParts } from './parts.ts'

/** Never holds a password, token, link, cookie, or what somebody typed for an e-mail address. */
export interface Told {
  verb: AccountVerb
  actor: AuditActor
  /** About whom; left out where it is the actor. */
  person?: { id: string; name: string } | null | undefined
  asked?: Json
  /** How it was before. */
  seen?: Json
  /** In a sentence. */
  words: string
}

export class PeopleLog {
  private readonly parts: Pick<ActionParts, 'recorder'>

  constructor(parts: Pick<ActionParts, 'recorder'>) {
    this.parts = parts
  }

  done(told: Told): void {
    this.parts.recorder.keep({ ...draftOf(told), kind: 'done', operation: randomUUID() })
  }

  refused(told: Told & { code: string }): void {
    this.parts.recorder.refusal({ ...draftOf(told), kind: 'refusal', operation: '', code: told.code })
  }
}

function draftOf({
  verb,
  actor,
  person,
  asked = null,
  seen = null,
  words,
}: Told): Omit<AuditDraft, 'kind' | 'operation'> {
  const subject: AuditSubject = { cluster: null, ...(person ? { person: { id: person.id, name: person.name } } : {}) }
  return { verb, actor, subject, reason: '', asked, seen, words }
}
