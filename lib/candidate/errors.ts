import type { FencingToken } from '../election/epoch.ts'
import { EtcdError } from '../election/ports.ts'
import { escapeLatin1 } from '../shared/bytes.ts'

/** Why a term ended, or why there is none. */
export type EndReason =
  /** No renewal was proven before the local deadline. */
  | 'not renewed'
  /** The lease is gone: it expired or somebody revoked it. */
  | 'lease gone'
  /** The key was deleted, or carries another lease. */
  | 'key gone'
  | 'kill switch'
  | 'handed off'
  /** `resign()`, the end of the work, or the signal given to `lead`. */
  | 'resigned'
  /** Another epoch has begun: the token would compare as older. */
  | 'epoch raised'
  | 'store rolled back'
  /** Something in the library itself went wrong: nothing can be proven any more. */
  | 'failed'

/** This instance does not lead, or cannot prove that it does. Also the `reason` of an aborted `leadership.signal`. */
export class NotLeadingError extends Error {
  override readonly name: string = 'NotLeadingError'
  readonly why: EndReason
  /** The term that it was about. */
  readonly token: FencingToken

  constructor(why: EndReason, token: FencingToken, detail: string) {
    super(`not leading with token ${token.epoch}.${token.revision}: ${detail}`)
    this.why = why
    this.token = token
  }
}

/**
 * etcd answered with a revision or an epoch below one that this process has seen: it was restored from a
 * backup, and its tokens would compare as older. Nothing is led until the epoch is raised.
 */
export class StoreRolledBackError extends Error {
  override readonly name = 'StoreRolledBackError'
}

/** An option that cannot work; the message names it, its value and what would do. */
export class CandidateOptionsError extends Error {
  override readonly name = 'CandidateOptionsError'
}

/** The lease or the key of this candidate is gone: it queues again with new ones. */
export class SeatLost extends Error {
  readonly why: EndReason

  constructor(why: EndReason, message: string) {
    super(message)
    this.why = why
  }
}

/** A denial with what the account must be allowed to do (latin1), since etcd does not say what it denied. */
export function withNeeds(error: unknown, needs: string): unknown {
  if (!(error instanceof EtcdError) || error.kind !== 'denied') return error
  const text = `${error.message}: this account must be allowed to ${escapeLatin1(needs)}`
  return new EtcdError('denied', text, error.endpoint, { cause: error })
}
