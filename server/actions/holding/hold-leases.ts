/** The former leader's session, once its key is held: it is ended, so that the leader notices, unless others need it. */
import { EtcdError } from '../../../lib/election/ports.ts'
import type { LeaseId } from '../../../lib/election/types.ts'
import { escapeLatin1, latin1 } from '../../../lib/shared/bytes.ts'
import type { Reach } from '../reach.ts'
import { READ_WITHIN_MS } from '../read-election.ts'

const MOST_NAMED = 5

export type FormerLease =
  /** It is gone. */
  | { is: 'settled' }
  | { is: 'revoked' }
  /** Left alone: something else hangs on it. */
  | { is: 'left alone'; words: string }
  /** Another head on it is still to be held. */
  | { is: 'later' }

/** Whether this key (latin1) is one that is about to be held. */
export type IsHeadToHold = (key: string) => boolean

/** Revoke has no compare in etcd: the look directly before it shows that nothing hangs on the lease. */
export async function endSession(
  { etcd }: Pick<Reach, 'etcd'>,
  lease: LeaseId,
  isHeadToHold: IsHeadToHold,
  signal: AbortSignal,
): Promise<FormerLease> {
  const options = { deadlineMs: READ_WITHIN_MS, signal }
  try {
    const { lease: found } = await etcd.timeToLive(lease, { ...options, keys: true })
    if (found === null) return { is: 'settled' }
    const keys = found.keys.map(latin1)
    if (keys.length === 0) {
      await etcd.revoke(lease, options)
      return { is: 'revoked' }
    }
    if (keys.every(isHeadToHold)) return { is: 'later' }
    return { is: 'left alone', words: leftAlone(lease, keys) }
  } catch (error) {
    if (!(error instanceof EtcdError) || (error.kind !== 'denied' && error.kind !== 'auth')) throw error
    const words = `The session ${lease} of the former leader could not be ended: ${error.message}. It may not notice that it is stopped.`
    return { is: 'left alone', words }
  }
}

function leftAlone(lease: LeaseId, keys: readonly string[]): string {
  const more = keys.length > MOST_NAMED ? ` and ${keys.length - MOST_NAMED} more` : ''
  const named = keys.slice(0, MOST_NAMED).map(escapeLatin1).join(', ')
  return `The session ${lease} of the former leader was left alone, as it also has ${named}${more}: the former leader may not notice that it is stopped.`
}
