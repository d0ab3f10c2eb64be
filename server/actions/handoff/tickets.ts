/** One-time tokens: what somebody saw when they opened the dialog, and may act on for half a minute. Kept in memory only. */
import { randomBytes } from 'node:crypto'
import type { HandoffAction, SeenLeader } from '../../../lib/election/actions.ts'
import type { Clock } from '../../../lib/shared/clock.ts'
import { type Caller, isSamePerson } from '../caller.ts'
import { Refused } from '../refused.ts'

export const TICKET_MS = 30_000
/** A dead token still tells what was seen, so that a stale screen is told what changed. */
const KEPT_MS = 30 * 60_000
const MOST = 2_000

export interface Seen {
  cluster: string
  ref: string
  action: HandoffAction
  leader: SeenLeader
  /** base64 of everything on the leader's lease, in order; null where etcd did not tell. */
  leaseKeys: readonly string[] | null
  /** Of a single key, whose standbys only presence shows. */
  hasStandby: boolean
}

export interface Ticket extends Seen {
  actor: Caller['actor']
  issuedMs: number
  isUsed: boolean
}

export class Tickets {
  private readonly clock: Clock
  private readonly byToken = new Map<string, Ticket>()

  constructor(clock: Clock) {
    this.clock = clock
  }

  issue({ actor }: Caller, seen: Seen): string {
    const issuedMs = this.clock.monoMs()
    for (const [token, old] of this.byToken) {
      if (this.byToken.size < MOST && issuedMs - old.issuedMs < KEPT_MS) break
      this.byToken.delete(token)
    }
    const token = randomBytes(24).toString('base64url')
    this.byToken.set(token, { ...seen, actor, issuedMs, isUsed: false })
    return token
  }

  /** What was seen, used or expired as the token may be. Throws `Refused` when it is none of this person for this. */
  find(token: string, { actor }: Caller, wanted: Pick<Seen, 'cluster' | 'ref' | 'action'>): Ticket {
    const found = this.byToken.get(token)
    if (found === undefined) throw refusedToken('It is not known: it was made by another run of Tenure, or never.')
    if (!isSamePerson(found.actor, actor)) throw refusedToken('It was made for somebody else.')
    if (found.cluster !== wanted.cluster || found.ref !== wanted.ref)
      throw refusedToken('It was made for another election.')
    if (found.action !== wanted.action) {
      throw refusedToken(
        wanted.action === 'remove-key'
          ? 'It does not bind the key’s mod revision, as removing the key needs.'
          : 'It was made for removing the key.',
      )
    }
    return found
  }

  /** Throws `Refused` when it was used or is too old; from then on it is used. Nothing comes between the two. */
  use(ticket: Ticket): void {
    if (ticket.isUsed) throw refusedToken('It was used already.')
    if (this.clock.monoMs() - ticket.issuedMs > TICKET_MS) throw refusedToken(`It was good for ${TICKET_MS / 1_000} s.`)
    ticket.isUsed = true
  }
}

function refusedToken(reason: string): Refused {
  const why = `The one-time token of what you saw is not valid. ${reason}`
  return new Refused({ code: 'token', why, fix: 'Look at the election again.' })
}
