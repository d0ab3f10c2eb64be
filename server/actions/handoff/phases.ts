/** What one read of etcd shows of a handoff that is under way. Pure. */
import type { HandoffFacts, HandoffParty, Phase, SeenLeader } from '../../../lib/election/actions.ts'
import type { Presence } from '../../../lib/election/presence.ts'
import type { Instant } from '../../../lib/shared/clock.ts'
import { groupDigits } from '../../../lib/shared/decimal.ts'
import type { ElectionNow } from '../read-election.ts'
import type { HandoffPlan } from './plan.ts'
import { type Place, seatsOf } from './seat.ts'

export interface Sight {
  /** The key that was to go still leads. */
  stands: boolean
  draining: boolean
  /** Who leads in its place. */
  successor: Place | null
  /** What the former leader says in etcd of having given this very term up. */
  gaveUp: Presence | null
  /** It is back in the queue, on the same lease or by its own words. */
  queuesAgain: boolean
}

export function sightOf(ref: string, plan: HandoffPlan, now: ElectionNow, metaPrefix: string): Sight {
  const { leader } = plan
  const seats = seatsOf(ref, now, metaPrefix)
  const stands = now.keys.some(
    ({ createRevision, lease }) => createRevision === leader.createRevision && lease === leader.lease,
  )
  const own = leader.lease === null ? undefined : now.present.get(leader.lease)
  const said = [...now.present.values()].flatMap(({ says }) => (says === null ? [] : [says]))
  const again = [seats.leader, ...seats.waiters].some(
    (place) => place !== null && leader.lease !== null && place.lease === leader.lease,
  )
  return {
    stands,
    draining: stands && own?.says?.state === 'draining',
    successor: stands ? null : seats.leader,
    gaveUp: said.find((says) => isGivenUp(says, plan)) ?? null,
    queuesAgain: !stands && again,
  }
}

const DONE: ReadonlySet<Presence['state']> = new Set(['waiting', 'stopped', 'lost'])

/** It says that the term is over: by its resignation, or by waiting with the token that it led with last. */
function isGivenUp({ state, token, lastResign, identity }: Presence, { leader, epoch }: HandoffPlan): boolean {
  const isTerm = (one: Presence['token']) => one?.revision === leader.createRevision && one.epoch === epoch
  return isTerm(lastResign?.token ?? null) || (identity === leader.identity && DONE.has(state) && isTerm(token))
}

const partyOf = ({
  identity,
  keyBase64,
  createRevision,
}: Pick<SeenLeader, 'identity' | 'keyBase64' | 'createRevision'>): HandoffParty => ({
  identity,
  keyBase64,
  token: createRevision,
})

/** As pages show it. */
export function factsOf(plan: HandoffPlan, successor: Place | null = null): HandoffFacts {
  const { method, leader, target, isLibrary, ttlMs, deadlineMs } = plan
  return {
    method,
    from: partyOf(leader),
    to: target === null ? null : partyOf(target),
    successor: successor === null ? null : partyOf(successor),
    acknowledges: isLibrary,
    overlapMs: ttlMs === null ? null : Math.round(ttlMs / 3),
    deadlineMs,
  }
}

const nothing = (name: Phase['name'], evidence: string): Phase => ({ name, at: null, evidence, known: 'not yet' })

/** All that will be reported of this handoff, before anything is. */
export function expectedPhases({ method, leader, isLibrary, ttlMs }: HandoffPlan): Phase[] {
  const who = leader.identity
  const noticing = ttlMs === null ? 'when it next looks at its key' : `within ${(ttlMs / 3_000).toFixed(1)} s`
  const acknowledges = isLibrary
    ? `Waiting for ${who} to say that it stopped.`
    : method === 'remove-key'
      ? `${who} will probably not notice: its lease stays.`
      : `${who} cannot acknowledge. A Go client notices ${noticing}.`
  const all = [
    nothing('requested', method === 'ask' ? 'Writing the request.' : 'Reading the key and the lease once more.'),
    nothing('draining', `Waiting for ${who} to finish its work.`),
    nothing('released', `Waiting for ${who}’s key to go.`),
    nothing('elected', 'Waiting for a successor.'),
    nothing('acknowledged', acknowledges),
  ]
  return all.filter(({ name }) => name !== 'draining' || method === 'ask')
}

export function drainingPhase({ leader }: HandoffPlan, at: Instant): Phase {
  return { name: 'draining', at, evidence: `${leader.identity} says that it drains.`, known: 'reported' }
}

/** A work that ends within 50 ms is not announced by the library. */
export const NEVER_SEEN_DRAINING: Phase = {
  name: 'draining',
  at: null,
  evidence: 'It was not seen to drain: work that ends at once is not announced.',
  known: 'never',
}

export function releasedPhase({ leader }: HandoffPlan, now: ElectionNow, at: Instant): Phase {
  const evidence = `${leader.identity}’s key is gone at revision ${groupDigits(now.header.revision)}.`
  return { name: 'released', at, evidence, known: 'etcd' }
}

export function electedPhase(plan: HandoffPlan, successor: Place, at: Instant): Phase {
  return { name: 'elected', at, evidence: `${successorWords(plan, successor)}.`, known: 'etcd' }
}

/** A lone candidate that queued again at once leads a new term: that is neither a failure nor no change. */
export function successorWords({ leader }: HandoffPlan, successor: Place): string {
  const token = `token ${groupDigits(successor.createRevision)}`
  return successor.identity === leader.identity
    ? `${successor.identity} was re-elected: same identity, new term, ${token}`
    : `${successor.identity || successor.key} leads with ${token}`
}

export function acknowledgedPhase(plan: HandoffPlan, { gaveUp, queuesAgain }: Sight, at: Instant): Phase | null {
  const who = plan.leader.identity
  const said = gaveUp?.lastResign?.reason
  if (gaveUp !== null) {
    const evidence = said
      ? `${who} says that it stopped: ${said.replace(/\.$/, '')}.`
      : `${who} says that it leads no more.`
    return { name: 'acknowledged', at, evidence, known: 'reported' }
  }
  if (!queuesAgain) return null
  return { name: 'acknowledged', at, evidence: `${who} queues again, on the same lease.`, known: 'etcd' }
}
