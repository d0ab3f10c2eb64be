/** Sessions of one person, told without what would let another use them. */
import type { DatabaseSync } from 'node:sqlite'
import { type Instant, instant } from '../../lib/shared/clock.ts'
import type { Endings } from './endings.ts'
import type { Library } from './library.ts'
import { personOf } from './people.ts'
import type { Person } from './person.ts'

export interface Session {
  id: string
  since: Instant
  until: Instant
  /** Where it was opened from; empty where that was not known. */
  address: string
  browser: string
}

const ms = (value: unknown) => new Date(value as string | number | Date).getTime()

export class Sessions {
  private readonly database: DatabaseSync
  private readonly library: Library
  private readonly endings: Endings

  constructor(database: DatabaseSync, library: Library, endings: Endings) {
    this.database = database
    this.library = library
    this.endings = endings
  }

  /** Whose session the cookie names; null when it is none, is over, or its person is disabled. */
  async find(headers: Headers): Promise<{ person: Person; session: { id: string; expiresMs: number } } | null> {
    // The cookie alone: nothing else that a client sends may change what the library does.
    const cookie = headers.get('cookie')
    if (cookie === null) return null
    const found = await this.library.api.getSession({ headers: new Headers({ cookie }) })
    if (found === null) return null
    const person = personOf(found.user)
    if (person.disabled) return null
    return { person, session: { id: found.session.id, expiresMs: ms(found.session.expiresAt) } }
  }

  has(id: string): boolean {
    return this.database.prepare('select 1 from auth_sessions where id = ?').get(id) !== undefined
  }

  /** Newest first. */
  async of(personId: string): Promise<Session[]> {
    const { internalAdapter } = await this.library.$context
    const sessions = await internalAdapter.listSessions(personId, { onlyActiveSessions: true })
    return sessions
      .map((session) => ({
        id: session.id,
        since: instant(ms(session.createdAt)),
        until: instant(ms(session.expiresAt)),
        address: session.ipAddress ?? '',
        browser: session.userAgent ?? '',
      }))
      .sort((a, b) => (a.since < b.since ? 1 : -1))
  }

  /** False when this person has no such session. */
  end(personId: string, id: string): boolean {
    const { changes } = this.database.prepare('delete from auth_sessions where id = ? and userId = ?').run(id, personId)
    if (changes === 0) return false
    this.endings.end(`session:${id}`)
    return true
  }
}
