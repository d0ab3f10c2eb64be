/** Why a leader's key went: told by whether its lease is still there. */
import { EtcdError, type LeasePort } from '../../lib/election/ports.ts'
import type { EndedBy, Term } from '../../lib/election/types.ts'
import { sleep } from '../../lib/shared/abort.ts'
import { elapsedMs, type Instant } from '../../lib/shared/clock.ts'
import { seconds } from '../../lib/shared/format.ts'

const DEADLINE_MS = 2_000
const TRIES = 3

/** What the newest look-up before the removal had proven. */
export interface ProvenLife {
  /** The lease could not expire before this. */
  earliestExpiry: Instant | null
}

/** Pure part: what a look-up `afterMs` after the removal proves. */
export function causeFrom(alive: boolean, endedAt: Instant, afterMs: number, proven: ProvenLife): EndedBy {
  const after = `looked up ${Math.round(afterMs)} ms after the key went`
  if (alive) return { cause: 'resigned or removed', evidence: `its lease is alive, ${after}` }
  const early = proven.earliestExpiry === null ? 0 : elapsedMs(endedAt, proven.earliestExpiry)
  const detail =
    early > 0
      ? `; ${seconds(early)} before it could expire, so it was revoked, or resigned and closed`
      : ': it expired or was revoked'
  return { cause: 'lease lost', evidence: `its lease is gone, ${after}${detail}` }
}

/** Looks the leader's lease up until etcd says, at most three times. Resolves null when it never does. */
export async function findCause(
  etcd: LeasePort,
  term: Term,
  proven: ProvenLife,
  context: { signal: AbortSignal; monoMs: () => number; endpoint?: string },
): Promise<EndedBy | null> {
  const { lease } = term.leader
  const endedAt = term.to
  if (endedAt === null) return null
  if (lease === null) return { cause: 'resigned or removed', evidence: 'the key had no lease: somebody deleted it' }
  const startedMs = context.monoMs()
  for (let attempt = 0; attempt < TRIES && !context.signal.aborted; attempt += 1) {
    try {
      const options = {
        deadlineMs: DEADLINE_MS,
        signal: context.signal,
        ...(context.endpoint && attempt === 0 ? { endpoint: context.endpoint } : {}),
      }
      const answer = await etcd.timeToLive(lease, options)
      return causeFrom(answer.lease !== null, endedAt, context.monoMs() - startedMs, proven)
    } catch (error) {
      if (error instanceof EtcdError && (error.kind === 'denied' || error.kind === 'auth')) {
        return { cause: 'unobserved', evidence: 'the key is gone; this account may not look its lease up' }
      }
      await sleep(300 * (attempt + 1), context.signal)
    }
  }
  return null
}
