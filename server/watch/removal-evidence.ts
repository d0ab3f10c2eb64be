/** Why a leader's key went: told by whether its lease is still there. */
import { isNewer } from '../../lib/election/ids.ts'
import { EtcdError, type LeaseAnswer, type LeasePort } from '../../lib/election/ports.ts'
import type { EndedBy, LeaseId, Revision, Term } from '../../lib/election/types.ts'
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
export const AFTER_RESTART = 'after a restart'

/** What etcd's own counters prove of the leases that ended around then. */
export interface LeaseProof {
  cause: 'expired' | 'lease lost'
  words: string
}

export interface Finding {
  alive: boolean
  lease: LeaseId
  /** Of the removal. */
  revision: Revision
  endedAt: Instant
  looked: LookedUp | typeof AFTER_RESTART
  proven: ProvenLife
}

/** Pure part: what a look-up proves that found the lease alive, or gone. */
export function causeFrom(finding: Finding, proof: LeaseProof | null = null): EndedBy {
  const { alive, lease, revision, looked } = finding
  if (looked === AFTER_RESTART) return causeAfterRestart(alive, lease)
  const atMostMs = latestMs(looked)
  const late =
    atMostMs > SURE_WITHIN_MS ? `as late as ${seconds(atMostMs)} later` : `${Math.round(looked.afterMs)} ms later`
  const evidence = `${keyGone(revision)}, lease ${lease} ${alive ? 'still alive' : 'gone'} ${late}`
  if (alive) return { cause: 'resigned or removed', evidence }
  if (atMostMs > SURE_WITHIN_MS) {
    return { cause: 'unobserved', evidence: `${evidence}: nothing tells which of them went first` }
  }
  if (earlyMs(finding) <= 0 && proof !== null) return { cause: proof.cause, evidence: `${evidence}; ${proof.words}` }
  return { cause: 'lease lost', evidence: `${evidence}${whyGone(finding)}` }
}

export const keyGone = (revision: Revision) => `key gone at revision ${revision}`

const latestMs = ({ afterMs, unseenMs }: LookedUp) => Math.round(afterMs + unseenMs)

/** How long before the lease could have expired its key went; 0 where that is not known. */
function earlyMs({ endedAt, proven }: Finding): number {
  return proven.earliestExpiry === null ? 0 : elapsedMs(endedAt, proven.earliestExpiry)
}

function whyGone(finding: Finding): string {
  const early = earlyMs(finding)
  if (early > 0) return `; ${seconds(early)} before it could expire, so it was revoked, or resigned and closed`
  return finding.proven.earliestExpiry === null
    ? ': it expired, was revoked, or its holder resigned and closed'
    : ': it expired or was revoked'
}

function causeAfterRestart(alive: boolean, lease: LeaseId): EndedBy {
  const evidence = `key gone, lease ${lease} ${alive ? 'still alive' : 'gone'} when looked up ${AFTER_RESTART}`
  return alive
    ? { cause: 'resigned or removed', evidence }
    : { cause: 'unobserved', evidence: `${evidence}: nothing tells which of them went first` }
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

export interface FindContext {
  signal: AbortSignal
  monoMs: () => number
  endpoint?: string
  /** Asked for when the lease is gone. */
  proof?: () => Promise<LeaseProof | null>
}

/** Looks the leader's lease up until etcd says, at most three times. Resolves null when that is cut short. */
export async function findCause(
  etcd: LeasePort,
  { term, revision, unseenMs, restarted }: SeenEnd,
  proven: ProvenLife,
  context: FindContext,
): Promise<EndedBy | null> {
  const { lease } = term.leader
  const endedAt = term.to
  if (endedAt === null) return null
  const gone = keyGone(revision)
  if (lease === null) return { cause: 'resigned or removed', evidence: `${gone}; it had no lease: somebody deleted it` }
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
        const looked: Finding['looked'] = restarted
          ? AFTER_RESTART
          : { afterMs: context.monoMs() - startedMs, unseenMs }
        const found = { alive: answer.lease !== null, lease, revision, endedAt, looked, proven }
        return causeFrom(found, found.alive ? null : await context.proof?.())
      }
      wasAlive = true
    } catch (error) {
      if (error instanceof EtcdError && (error.kind === 'denied' || error.kind === 'auth')) {
        if (!withKeys) return { cause: 'unobserved', evidence: `${gone}; this account may not look lease ${lease} up` }
        // Newer servers show the keys of a lease only to who may read all of them.
        withKeys = false
        continue
      }
    }
    await sleep(300 * (attempt + 1), context.signal)
  }
  if (context.signal.aborted) return null
  return { cause: 'unobserved', evidence: `${gone}; etcd did not say in time whether lease ${lease} is` }
}
