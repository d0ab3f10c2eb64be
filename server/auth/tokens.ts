/** API tokens of people, for scripts: named, shown once, kept as hashes, revocable. */
import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { ROLES, type Role } from '../../lib/election/policy.ts'
import { type Clock, type Instant, instant } from '../../lib/shared/clock.ts'
import type { Endings } from './endings.ts'
import { hashOf, newSecret } from './secret.ts'

/** So that a token in a log or a repository is known for what it is. */
const PREFIX = 'tenure_'
const USED_EVERY_MS = 60_000
export const MOST_TOKENS = 50

export interface Token {
  id: string
  name: string
  role: Role
  createdAt: Instant
  /** To the minute; null before its first use. */
  usedAt: Instant | null
}

interface Owned extends Token {
  personId: string
}

/** Throws on a role that is none: what cannot be read must not count as some role. */
function roleOf(text: unknown): Role {
  const role = ROLES.find((each) => each === text)
  if (role === undefined) throw new Error(`"${String(text)}" is no role`)
  return role
}

function ownedOf(row: Record<string, unknown>): Owned {
  return {
    id: String(row.id),
    personId: String(row.person_id),
    name: String(row.name),
    role: roleOf(row.role),
    createdAt: instant(Number(row.created_ms)),
    usedAt: row.used_ms === null ? null : instant(Number(row.used_ms)),
  }
}

export class Tokens {
  private readonly database: DatabaseSync
  private readonly clock: Clock
  private readonly endings: Endings

  constructor(database: DatabaseSync, clock: Clock, endings: Endings) {
    this.database = database
    this.clock = clock
    this.endings = endings
  }

  /** `secret` is in the answer to this call and nowhere else. */
  make(personId: string, { name, role }: Pick<Token, 'name' | 'role'>): { token: Token; secret: string } {
    const secret = `${PREFIX}${newSecret()}`
    const createdMs = this.clock.nowMs()
    const token: Token = { id: randomUUID(), name, role, createdAt: instant(createdMs), usedAt: null }
    this.database
      .prepare('insert into auth_tokens (id, person_id, name, role, hash, created_ms) values (?, ?, ?, ?, ?, ?)')
      .run(token.id, personId, name, role, hashOf(secret), createdMs)
    return { token, secret }
  }

  /** Newest first. */
  of(personId: string): Token[] {
    const rows = this.database
      .prepare('select * from auth_tokens where person_id = ? order by created_ms desc, id')
      .all(personId)
    return rows.map((row) => {
      const { personId: _, ...token } = ownedOf(row)
      return token
    })
  }

  find(secret: string): Owned | null {
    const row = this.database.prepare('select * from auth_tokens where hash = ?').get(hashOf(secret))
    if (row === undefined) return null
    const token = ownedOf(row)
    const nowMs = this.clock.nowMs()
    if (nowMs - Number(row.used_ms ?? 0) > USED_EVERY_MS) {
      this.noteUse(token.id, nowMs)
    }
    return token
  }

  /** A disk that is full keeps no script out. */
  private noteUse(id: string, nowMs: number): void {
    try {
      this.database.prepare('update auth_tokens set used_ms = ? where id = ?').run(nowMs, id)
    } catch {
      // It is noted with a later use.
    }
  }

  has(id: string): boolean {
    return this.database.prepare('select 1 from auth_tokens where id = ?').get(id) !== undefined
  }

  /** False when this person has no such token. */
  revoke(personId: string, id: string): boolean {
    const { changes } = this.database
      .prepare('delete from auth_tokens where id = ? and person_id = ?')
      .run(id, personId)
    if (changes === 0) return false
    this.endings.end(`token:${id}`)
    return true
  }

  revokeAll(personId: string): void {
    for (const { id } of this.of(personId)) this.revoke(personId, id)
  }
}
