/** Who may sign in: added, given a role, disabled and let in again. Whoever calls has asked the policy. */
import type { DatabaseSync } from 'node:sqlite'
import { ROLES, type Role } from '../../lib/election/policy.ts'
import type { Endings } from './endings.ts'
import type { Library } from './library.ts'
import type { Links } from './links.ts'
import type { Person } from './person.ts'
import type { Tokens } from './tokens.ts'

export interface Listed extends Person {
  /** How this person signs in; none before the link was used. */
  signsInBy: readonly ('password' | 'oidc')[]
}

/** A refusal that the caller can act on. */
export class PeopleError extends Error {
  override readonly name = 'PeopleError'
  readonly code: 'exists' | 'unknown' | 'last-admin' | 'role-by-claim'

  constructor(code: PeopleError['code'], message: string) {
    super(message)
    this.code = code
  }
}

interface Parts {
  database: DatabaseSync
  library: Library
  links: Links
  tokens: Tokens
  endings: Endings
}

/** A role that cannot be read counts as the least one. */
export function personOf(row: Record<string, unknown>): Person {
  return {
    id: String(row.id),
    name: String(row.name),
    email: String(row.email),
    role: ROLES.find((role) => role === row.role) ?? 'viewer',
    disabled: row.disabled !== 0 && row.disabled !== false,
  }
}

export class People {
  private readonly parts: Parts

  constructor(parts: Parts) {
    this.parts = parts
  }

  get count(): number {
    return Number(this.parts.database.prepare('select count(*) as n from auth_people').get()?.n)
  }

  get hasAdmin(): boolean {
    return this.isAnotherAdmin('')
  }

  isTaken(email: string): boolean {
    const row = this.parts.database.prepare('select 1 from auth_people where email = ?').get(email.toLowerCase())
    return row !== undefined
  }

  findByEmail(email: string): Person | null {
    const row = this.parts.database.prepare('select * from auth_people where email = ?').get(email.toLowerCase())
    return row === undefined ? null : personOf(row)
  }

  /** By name. */
  list(): Listed[] {
    const { database } = this.parts
    const ways = Map.groupBy(database.prepare('select userId, providerId from auth_accounts').all(), ({ userId }) =>
      String(userId),
    )
    return database
      .prepare('select * from auth_people order by name collate nocase, email')
      .all()
      .map((row) => {
        const own = (ways.get(String(row.id)) ?? []).map((way) => (way.providerId === 'oidc' ? 'oidc' : 'password'))
        return { ...personOf(row), signsInBy: [...new Set(own)] }
      })
  }

  find(id: string): Person | null {
    const row = this.parts.database.prepare('select * from auth_people where id = ?').get(id)
    return row === undefined ? null : personOf(row)
  }

  /** Returns the secret of the link by which the new person sets a password. */
  async add(who: { name: string; email: string; role: Role }): Promise<{ person: Person; secret: string }> {
    const { library, links } = this.parts
    const { internalAdapter } = await library.$context
    const email = who.email.toLowerCase()
    if (this.isTaken(email)) {
      throw new PeopleError('exists', `there is somebody with the address ${email} already`)
    }
    // Verified: an admin vouches for the address, or whoever starts the server does.
    const user = await internalAdapter.createUser(
      { ...who, email, emailVerified: true, disabled: false },
      { method: 'admin' },
    )
    return { person: this.known(user.id), secret: links.make({ personId: user.id }) }
  }

  /** Earlier links for this person no longer work. */
  newLink(id: string): string {
    return this.parts.links.make({ personId: this.known(id).id })
  }

  setRole(id: string, role: Role): Person {
    const person = this.known(id)
    if (this.parts.database.prepare(`select 1 from auth_accounts where userId = ? and providerId = 'oidc'`).get(id)) {
      throw new PeopleError('role-by-claim', `the role of ${person.name} comes from OpenID Connect: change it there`)
    }
    if (person.role === 'admin' && role !== 'admin') this.requireAnotherAdmin(id)
    this.parts.database.prepare('update auth_people set role = ? where id = ?').run(role, id)
    return this.known(id)
  }

  /** Every session and token is gone at once, and so are running streams. */
  async disable(id: string): Promise<Person> {
    const person = this.known(id)
    if (person.role === 'admin') this.requireAnotherAdmin(id)
    this.parts.database.prepare('update auth_people set disabled = 1 where id = ?').run(id)
    this.parts.links.drop({ personId: id })
    this.parts.tokens.revokeAll(id)
    await this.endSessions(id)
    return this.known(id)
  }

  enable(id: string): Person {
    this.known(id)
    this.parts.database.prepare('update auth_people set disabled = 0 where id = ?').run(id)
    return this.known(id)
  }

  async endSessions(id: string): Promise<void> {
    const { internalAdapter } = await this.parts.library.$context
    await internalAdapter.deleteUserSessions(id)
    this.parts.endings.end(`person:${id}`)
  }

  /** Ends every session: who knew the old password may have opened one. */
  async setPassword(id: string, password: string): Promise<void> {
    const { internalAdapter, password: passwords } = await this.parts.library.$context
    const hash = await passwords.hash(password)
    if ((await internalAdapter.findCredentialAccount(id)) === null) {
      await internalAdapter.linkAccount({ userId: id, providerId: 'credential', accountId: id, password: hash })
    } else await internalAdapter.updatePassword(id, hash)
    await this.endSessions(id)
  }

  private known(id: string): Person {
    const person = this.find(id)
    if (person === null) throw new PeopleError('unknown', 'there is no such person')
    return person
  }

  private requireAnotherAdmin(id: string): void {
    if (!this.isAnotherAdmin(id)) {
      throw new PeopleError('last-admin', 'this is the only admin: make somebody else an admin first')
    }
  }

  private isAnotherAdmin(id: string): boolean {
    const other = this.parts.database
      .prepare(`select 1 from auth_people where role = 'admin' and disabled = 0 and id <> ? limit 1`)
      .get(id)
    return other !== undefined
  }
}
