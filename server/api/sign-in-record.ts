/** What comes of signing in and out, as the audit log is told. What was typed is in none of it. */
import type { PeopleLog } from '../actions/people-log.ts'
import type { Accounts } from '../auth/auth.ts'
import { CLIENT_HEADER } from '../auth/client-address.ts'
import type { Outcome } from '../auth/entrance.ts'
import type { Person } from '../auth/person.ts'
import type { AuditActor } from '../history/audit.ts'

/** Refusals that tell of more than a slip of the fingers, and how the log tells them. */
const REFUSED: Partial<Record<Outcome['is'], string>> = {
  wrong: 'The e-mail address or the password was wrong.',
  disabled: 'This person is disabled.',
  'too-many': 'There were too many attempts from this address.',
  'expired-link': 'The link was used before, has expired or never was.',
  'no-password': 'This person has no password.',
}

export class SignInRecord {
  private readonly accounts: Accounts
  private readonly log: PeopleLog

  constructor(accounts: Accounts, log: PeopleLog) {
    this.accounts = accounts
    this.log = log
  }

  signIn(email: string, outcome: Outcome, from: Headers): void {
    const person = this.accounts.people.findByEmail(email)
    this.tell('signIn', 'Signed in by password.', { person, outcome, from })
  }

  changePassword(person: Person | null, outcome: Outcome, from: Headers): void {
    this.tell('changePassword', 'Changed the own password; other sessions ended.', { person, outcome, from })
  }

  useLink(person: Person | null, outcome: Outcome, from: Headers): void {
    this.tell('useLink', 'Set a password by a one-time link, and signed in.', { person, outcome, from })
  }

  signOut(person: Person | null, from: Headers): void {
    if (person === null) return
    this.log.done({ verb: 'signOut', actor: actorOf(person, from), words: 'Signed out.' })
  }

  /** The answer to whom the provider has sent back: it holds a session, or says where it failed. */
  async byProvider(answer: Response, from: Headers): Promise<void> {
    const cookie = answer.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ')
    const found = cookie === '' ? null : await this.accounts.sessions.find(new Headers({ cookie }))
    if (found !== null) {
      const actor = actorOf(found.person, from)
      this.log.done({ verb: 'signIn', actor, words: 'Signed in by OpenID Connect.' })
      return
    }
    const code = /[?&]error=([a-zA-Z_]{1,40})(&|$)/.exec(answer.headers.get('location') ?? '')?.[1]
    const words = 'The provider’s answer did not sign anybody in.'
    this.log.refused({ verb: 'signIn', actor: actorOf(null, from), code: code ?? 'failed', words })
  }

  private tell(
    verb: 'signIn' | 'changePassword' | 'useLink',
    words: string,
    { person, outcome, from }: { person: Person | null; outcome: Outcome; from: Headers },
  ): void {
    if (outcome.is === 'in') {
      this.log.done({ verb, actor: actorOf(person, from), words })
      return
    }
    const why = REFUSED[outcome.is]
    // Who tried it is not known: only whose password or link it would have been.
    if (why !== undefined) this.log.refused({ verb, actor: actorOf(null, from), person, code: outcome.is, words: why })
  }
}

function actorOf(person: Person | null, from: Headers): AuditActor {
  const address = from.get(CLIENT_HEADER) ?? ''
  if (person === null) return { kind: 'nobody', name: 'nobody', address }
  return { kind: 'person', name: person.name, personId: person.id, address }
}
