/** Who stands behind a request, and everything about people: `Accounts` is null where nobody signs in. */

import { lesser } from '../../lib/election/policy.ts'
import type { Endings, EndKey } from './endings.ts'
import type { Entrance } from './entrance.ts'
import type { Links } from './links.ts'
import type { People } from './people.ts'
import type { Actor } from './person.ts'
import type { Sessions } from './sessions.ts'
import type { Tokens } from './tokens.ts'

export interface Accounts {
  people: People
  sessions: Sessions
  tokens: Tokens
  links: Links
  entrance: Entrance
}

export interface Auth {
  readonly accounts: Accounts | null
  /**
   * null: nobody, and nobody may look. `bad-token`: a token was sent that is none; that must never
   * count as an anonymous viewer, or a script would not notice that its token was revoked.
   */
  whoIs(headers: Headers): Promise<Actor | 'bad-token' | null>
  /** Calls `listener` once when this actor may no longer look; returns what takes it away. */
  onEnd(actor: Actor, listener: () => void): () => void
  close(): void
}

const LOOPBACK: Actor = { kind: 'loopback', role: 'admin' }
const ANONYMOUS: Actor = { kind: 'anonymous', role: 'viewer' }

/** Everybody on this machine is an admin. The configuration and the guard see to it that nobody else comes. */
export const loopbackOpen: Auth = {
  accounts: null,
  whoIs: async () => LOOPBACK,
  onEnd: () => () => {},
  close: () => {},
}

interface Parts {
  accounts: Accounts
  endings: Endings
  anonymousViewing: boolean
  close: () => unknown
}

export class SignInRequired implements Auth {
  readonly accounts: Accounts
  private readonly parts: Parts

  constructor(parts: Parts) {
    this.parts = parts
    this.accounts = parts.accounts
  }

  async whoIs(headers: Headers): Promise<Actor | 'bad-token' | null> {
    const bearer = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]
    if (bearer !== undefined) return this.byToken(bearer) ?? 'bad-token'
    const found = await this.accounts.sessions.find(headers)
    if (found !== null) return { kind: 'person', role: found.person.role, ...found }
    return this.parts.anonymousViewing ? ANONYMOUS : null
  }

  onEnd(actor: Actor, listener: () => void): () => void {
    if (actor.kind !== 'person' && actor.kind !== 'token') return () => {}
    const own: EndKey = actor.kind === 'token' ? `token:${actor.token.id}` : `session:${actor.session.id}`
    const off = this.parts.endings.on([own, `person:${actor.person.id}`], listener)
    const lastsMs = actor.kind === 'token' ? null : Math.max(0, actor.session.expiresMs - Date.now())
    const expires = lastsMs === null ? undefined : setTimeout(listener, lastsMs).unref()
    // It may have ended after the request was let in and before anybody listened.
    if (!this.isStillIn(actor)) listener()
    return () => {
      clearTimeout(expires)
      off()
    }
  }

  private isStillIn(actor: Extract<Actor, { person: unknown }>): boolean {
    const { people, sessions, tokens } = this.accounts
    const isThere = actor.kind === 'token' ? tokens.has(actor.token.id) : sessions.has(actor.session.id)
    return isThere && people.find(actor.person.id)?.disabled === false
  }

  close(): void {
    this.parts.close()
  }

  private byToken(secret: string): Actor | null {
    const token = this.accounts.tokens.find(secret)
    const person = token === null ? null : this.accounts.people.find(token.personId)
    if (token === null || person === null || person.disabled) return null
    const role = lesser(token.role, person.role)
    return { kind: 'token', person, role, token: { id: token.id, name: token.name } }
  }
}
