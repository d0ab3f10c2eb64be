/** Why a leader's key went: told by whether its lease is still there. */
import { isNewer } from '../../lib/election/ids.ts'
import { EtcdError, type LeaseAnswer, type LeasePort } from '../../lib/election/ports.ts'
import type { EndedBy, Revision, Term } from '../../lib/election/types.ts'
import { sleep } from '../../lib/shared/abort.ts'
import { base64FromLatin1, latin1 } from '../../lib/shared/bytes.ts'
import { elapsedMs, type Instant } from '../../lib/shared/clock.ts'
import { seconds } from '../../lib/shared/format.ts'

const DEADLINE_MS = 2_000
const TRIES = 3
/** A lease that is found gone later than this after its key may have ended for itself in between. */
const SURE_WITHIN_MS = 5_000

/** What the newest look-up before the removal had proven. */
export interface ProvenLife {
  /** The lease could not expire before this. */
  earliestExpiry: Instant | null
}

/** When a look-up was made, counted from the removal. */
export interface LookedUp {
  /** Since the removal was seen. */
  afterMs: number
  /** The removal may have happened this long before it was seen. */
  unseenMs: number
}

/** No clock that ran on tells how long ago the removal was. */
export const AFTER_RESTART = 'looked up after a restart'

/** Pure part: what a look-up proves that found the lease alive, or gone. */
export function causeFrom(
  alive: boolean,
  endedAt: Instant,
  looked: LookedUp | typeof AFTER_RESTART,
  proven: ProvenLife,
): EndedBy {
  if (looked === AFTER_RESTART) return causeAfterRestart(alive)
  const atMostMs = Math.round(looked.afterMs + looked.unseenMs)
  const after =
    atMostMs > SURE_WITHIN_MS
      ? `looked up as late as ${seconds(atMostMs)} after the key went`
      : `looked up ${Math.round(looked.afterMs)} ms after the key went`
  if (alive) return { cause: 'resigned or removed', evidence: `its lease is alive, ${after}` }
  if (atMostMs > SURE_WITHIN_MS) {
    return { cause: 'unobserved', evidence: `its lease is gone, ${after}: nothing tells which of them went first` }
  }
  const early = proven.earliestExpiry === null ? 0 : elapsedMs(endedAt, proven.earliestExpiry)
  const detail =
    early > 0
      ? `; ${seconds(early)} before it could expire, so it was revoked, or resigned and closed`
      : proven.earliestExpiry === null
        ? ': it expired, was revoked, or its holder resigned and closed'
        : ': it expired or was revoked'
  return { cause: 'lease lost', evidence: `its lease is gone, ${after}${detail}` }
}

function causeAfterRestart(alive: boolean): EndedBy {
  return alive
    ? { cause: 'resigned or removed', evidence: `its lease is alive, ${AFTER_RESTART}` }
    : {
        cause: 'unobserved',
        evidence: `its lease is gone, ${AFTER_RESTART}: nothing tells which of them went first`,
      }
}

/** A term's end as it was seen: at which revision, and how long it may have gone unseen. */
export interface SeenEnd {
  term: Term
  revision: Revision
  unseenMs: number
  /** An earlier run saw it. */
  restarted?: true
}

/**
 * The key still hangs on the lease, by the raft leader's account: a follower fills in its own revision and hands
 * on what the raft leader says of the lease, which may not have come to the removal yet.
 */
function holds({ lease }: LeaseAnswer, { leader }: Term): boolean {
  return lease?.keys.some((key) => base64FromLatin1(latin1(key)) === leader.keyBase64) ?? false
}

/** Looks the leader's lease up until etcd says, at most three times. Resolves null when that is cut short. */
export async function findCause(
  etcd: LeasePort,
  { term, revision, unseenMs, restarted }: SeenEnd,
  proven: ProvenLife,
  context: { signal: AbortSignal; monoMs: () => number; endpoint?: string },
): Promise<EndedBy | null> {
  const { lease } = term.leader
  const endedAt = term.to
  if (endedAt === null) return null
  if (lease === null) return { cause: 'resigned or removed', evidence: 'the key had no lease: somebody deleted it' }
  const startedMs = context.monoMs()
  let withKeys = true
  let wasAlive = false
  for (let attempt = 0; attempt < TRIES && !context.signal.aborted; attempt += 1) {
    try {
      const endpoint = context.endpoint && attempt === 0 ? { endpoint: context.endpoint } : {}
      const options = { deadlineMs: DEADLINE_MS, signal: context.signal, keys: withKeys, ...endpoint }
      const answer = await etcd.timeToLive(lease, options)
      // A key that still hangs on it after all tries was put again: that lag would be a second long.
      const isSure = attempt === TRIES - 1 || (withKeys ? !holds(answer, term) : wasAlive)
      // A deposed raft leader has not come to the removal and answers for the time before it.
      if (!isNewer(revision, answer.header.revision) && (answer.lease === null || isSure)) {
        const looked = restarted ? AFTER_RESTART : { afterMs: context.monoMs() - startedMs, unseenMs }
        return causeFrom(answer.lease !== null, endedAt, looked, proven)
      }
      wasAlive = true
    } catch (error) {
      if (error instanceof EtcdError && (error.kind === 'denied' || error.kind === 'auth')) {
        if (!withKeys)
          return { cause: 'unobserved', evidence: 'the key is gone; this account may not look its lease up' }
        // Newer servers show the keys of a lease only to who may read all of them.
        withKeys = false
        continue
      }
    }
    await sleep(300 * (attempt + 1), context.signal)
  }
  if (context.signal.aborted) return null
  return { cause: 'unobserved', evidence: 'the key is gone; etcd did not say in time whether its lease is' }
}
