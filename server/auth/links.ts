/**
 * One-time links by which a person sets a password: the first admin's, printed at the first start, and
 * those an admin makes for others. Whoever has one becomes that person, so it works once and for a day.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../lib/shared/clock.ts'
import { hashOf, newSecret } from './secret.ts'

export const LINK_LASTS_MS = 24 * 3_600_000

/** For whom: an existing person, or (null) the first admin. */
export interface Link {
  personId: string | null
}

export class Links {
  private readonly database: DatabaseSync
  private readonly clock: Clock

  constructor(database: DatabaseSync, clock: Clock) {
    this.database = database
    this.clock = clock
  }

  /** Earlier links for the same person no longer work. Returns the secret, which is kept nowhere. */
  make({ personId }: Link): string {
    const secret = newSecret()
    this.drop({ personId })
    this.database
      .prepare('insert into auth_links (hash, person_id, expires_ms) values (?, ?, ?)')
      .run(hashOf(secret), personId, this.clock.nowMs() + LINK_LASTS_MS)
    return secret
  }

  drop({ personId }: Link): void {
    this.database.prepare('delete from auth_links where person_id is ?').run(personId)
  }

  /** What the link is for, without using it up; null when it was used, has expired or never was. */
  peek(secret: string): Link | null {
    const row = this.database
      .prepare('select person_id from auth_links where hash = ? and expires_ms > ?')
      .get(hashOf(secret), this.clock.nowMs())
    return row === undefined ? null : { personId: row.person_id as string | null }
  }

  /** Only the first of several at once gets it. */
  use(secret: string): Link | null {
    const row = this.database
      .prepare('delete from auth_links where hash = ? returning person_id, expires_ms')
      .get(hashOf(secret))
    if (row === undefined || Number(row.expires_ms) <= this.clock.nowMs()) return null
    return { personId: row.person_id as string | null }
  }
}
