/**
 * Fencing: the protected resource itself refuses a leader that is no longer one. It remembers the highest
 * token it has accepted and refuses anything lower, in the transaction of the write. What this does not
 * guarantee is said first in docs/fencing.md.
 */
import type { FencingToken } from '../election/epoch.ts'
import { StaleTokenError } from './errors.ts'
import { checkName } from './names.ts'
import { checkToken } from './token.ts'

export interface Guarded {
  /** What is protected: 1 to 512 bytes of printable text, the same for every process that writes it. */
  resource: string
  /** The writer's proof of leadership: `leadership.token`, or `fromHeaders(request.headers)`. */
  token: FencingToken
}

export interface Rejection extends Guarded {
  /** The highest token that the resource has accepted. */
  accepted: FencingToken
}

export interface FenceOptions {
  /** Called once for each refused write, before the error is thrown. What it throws becomes the error's `cause`. */
  onRejected?: (rejection: Rejection) => void
}

/** A transaction in which the token is the highest accepted. It may be used until `work` has settled, not longer. */
export interface FencedTx<Db> extends Guarded {
  /** The database handle of this transaction; in-memory, a copy of the state that is kept on success. */
  readonly db: Db
  /**
   * Runs `work` unless the key was recorded for this resource, in the same transaction as its writes; then
   * gives the recorded result. The result is what JSON keeps of it, on the first call too. When `work` fails,
   * the whole write fails, also if you catch the error.
   */
  runOnce<R>(key: string, work: () => R | Promise<R>): Promise<R>
}

export interface Fence<Tx> {
  /**
   * Runs `work` in a transaction in which the token is >= the highest accepted for the resource and stays so
   * until it is committed. Lower: `StaleTokenError`, `work` is not called. When `work` throws, everything is
   * rolled back, the advance of the token included, and its error is thrown unchanged. Writes to one
   * resource happen one after the other.
   */
  write<R>(guarded: Guarded, work: (tx: Tx) => R | Promise<R>): Promise<R>
  /** The highest token accepted so far; `null` before the first write. */
  highest(resource: string): Promise<FencingToken | null>
  /** Forgets keys of `runOnce` recorded longer ago, by the database's clock; gives how many. */
  pruneRuns(older: { olderThanMs: number }): Promise<number>
  /** Writes refused with a stale token since this guard was made. */
  readonly rejected: number
}

export function checkGuarded(guarded: Guarded): Guarded {
  return { resource: checkName('resource', guarded?.resource), token: checkToken(guarded?.token) }
}

export interface Rejections {
  readonly count: number
  /** Counts, tells, and gives the error to throw. */
  refuse(guarded: Guarded, accepted: FencingToken): StaleTokenError
}

export function countRejections({ onRejected }: FenceOptions): Rejections {
  let count = 0
  return {
    get count() {
      return count
    },
    refuse: ({ resource, token }, accepted) => {
      count += 1
      const error = new StaleTokenError(resource, token, accepted)
      try {
        onRejected?.({ resource, token, accepted })
      } catch (cause) {
        error.cause = cause
      }
      return error
    },
  }
}
