/** After a handoff: whether the former leader stopped, and a warning for as long as it may still act. */
import type { Phase } from '../../../lib/election/actions.ts'
import { isClaiming } from '../../../lib/election/claims.ts'
import { EtcdError } from '../../../lib/election/ports.ts'
import type { ElectionRef } from '../../../lib/election/types.ts'
import { sleep } from '../../../lib/shared/abort.ts'
import { instant } from '../../../lib/shared/clock.ts'
import type { ActionParts } from '../parts.ts'
import type { Reach } from '../reach.ts'
import { READ_WITHIN_MS, readElection } from '../read-election.ts'
import { acknowledgedPhase, electedPhase, factsOf, sightOf } from './phases.ts'
import type { HandoffPlan } from './plan.ts'

const LOOK_OFTEN_MS = 250
const LOOK_SELDOM_MS = 2_000
/** After that nobody is waited for who only could have acknowledged. */
const OFTEN_FOR_MS = 10_000

export interface Aftermath {
  operation: string
  reach: Reach
  ref: string
  plan: HandoffPlan
  /** Of an earlier run. */
  isRemembered?: boolean
}

interface Leftover {
  lease: 'gone' | 'stands' | 'renewed' | 'denied' | 'not known'
  claims: boolean
}

/**
 * Resolves when nothing more is to be said of it, or when the server stops. What an earlier run did is looked
 * at seldom: there may be many.
 */
export async function followFormerLeader(parts: ActionParts, after: Aftermath): Promise<void> {
  const { clock, signal, operations } = parts
  const startedMs = clock.monoMs()
  const former = new FormerLease(after)
  while (!signal.aborted) {
    const isYoung = clock.monoMs() - startedMs < OFTEN_FOR_MS
    const left: Leftover = { lease: await former.look(signal), claims: stillClaims(parts, after) }
    const isLeft = left.lease !== 'gone' || left.claims
    const acknowledged = after.isRemembered && !isLeft ? false : await lookAt(parts, after)
    operations.update(after.operation, { warnings: acknowledged ? [] : warningsOf(after.plan, left) })
    if (acknowledged) return
    if (!isLeft && !isYoung) return neverAcknowledged(parts, after)
    await sleep(isYoung && !after.isRemembered ? LOOK_OFTEN_MS : LOOK_SELDOM_MS, signal)
  }
}

/** Whether the former leader is known to have stopped; false where etcd did not answer. */
async function lookAt({ operations, clock, signal }: ActionParts, after: Aftermath): Promise<boolean> {
  const { operation, reach, ref, plan } = after
  try {
    const now = await readElection(reach, ref as ElectionRef, signal)
    const sight = sightOf(ref, plan, now, reach.metaPrefix)
    const at = instant(clock.nowMs())
    const isOpen = (name: Phase['name']) =>
      operations.get(operation)?.phases.find((each) => each.name === name)?.known === 'not yet'
    if (sight.successor !== null && isOpen('elected')) {
      operations.phase(operation, electedPhase(plan, sight.successor, at))
      operations.update(operation, { handoff: factsOf(plan, sight.successor) })
    }
    const acknowledged = acknowledgedPhase(plan, sight, at)
    if (acknowledged !== null && isOpen('acknowledged')) operations.phase(operation, acknowledged)
    return acknowledged !== null
  } catch (error) {
    if (error instanceof EtcdError) return false
    throw error
  }
}

function neverAcknowledged({ operations }: ActionParts, { operation, plan }: Aftermath): void {
  const { identity, lease } = plan.leader
  const about = lease === null ? 'Its key had no lease' : `Its lease ${lease} is gone`
  const evidence = `${about}; nothing tells Tenure whether ${identity} stopped.`
  const phase = operations.get(operation)?.phases.find(({ name }) => name === 'acknowledged')
  if (phase?.known === 'not yet') operations.phase(operation, { ...phase, evidence, known: 'never' })
}

function stillClaims({ clock }: ActionParts, { reach, ref, plan }: Aftermath): boolean {
  const now = instant(clock.nowMs())
  const claims = reach.view.elections.get(ref as ElectionRef)?.claims ?? []
  return claims.some((claim) => claim.token?.revision === plan.leader.createRevision && isClaiming(claim, now))
}

export function warningsOf({ leader }: HandoffPlan, { lease, claims }: Leftover): string[] {
  const who = leader.identity
  const warnings: string[] = []
  if (lease === 'stands' || lease === 'renewed') {
    const is = lease === 'renewed' ? 'is still renewed' : 'still stands'
    warnings.push(`The previous holder’s lease ${leader.lease} ${is}: ${who} may still act. Restart that process.`)
  }
  if (lease === 'denied') {
    const words = 'etcd does not tell this account whether it still lives'
    warnings.push(`The previous holder’s lease ${leader.lease}: ${words}. ${who} may still act. Restart that process.`)
  }
  if (claims)
    warnings.push(`${who} still claims token ${leader.createRevision}: it may still act. Restart that process.`)
  return warnings
}

/** Whole seconds that rise between two look-ups show a renewal, or a lease that outlived its TTL. */
class FormerLease {
  private readonly after: Aftermath
  private lowestMs = Number.POSITIVE_INFINITY
  private last: Leftover['lease'] = 'not known'

  constructor(after: Aftermath) {
    this.after = after
  }

  async look(signal: AbortSignal): Promise<Leftover['lease']> {
    const { reach, plan } = this.after
    if (plan.leader.lease === null || this.last === 'gone') return 'gone'
    try {
      const { lease } = await reach.etcd.timeToLive(plan.leader.lease, { deadlineMs: READ_WITHIN_MS, signal })
      this.last = lease === null ? 'gone' : this.judge(lease.remainingMs)
    } catch (error) {
      // What was known last still holds: a warning does not go because etcd is silent.
      if (!(error instanceof EtcdError)) throw error
      if (error.kind === 'denied') this.last = 'denied'
    }
    return this.last
  }

  private judge(remainingMs: number): Leftover['lease'] {
    if (this.last === 'renewed' || remainingMs > this.lowestMs) return 'renewed'
    this.lowestMs = remainingMs
    return 'stands'
  }
}
