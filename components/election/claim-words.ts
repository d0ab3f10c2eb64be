/** What instances claim, in plain words. Never more than was said and what etcd has shown. */
import type { Contradicting, DualClaim, Standing } from '../../lib/election/claims.ts'
import { standingOf } from '../../lib/election/claims.ts'
import { leaderOf } from '../../lib/election/queue.ts'
import type { Claim, ElectionState } from '../../lib/election/types.ts'
import type { Judged } from '../../lib/election/verdicts.ts'
import { groupDigits } from '../../lib/shared/decimal.ts'
import { timeOfDay } from '../../lib/shared/format.ts'
import { called } from './called.ts'

/** An instance without a name by the beginning of its random one. */
export function speakerOf({ identity, instance }: Pick<Claim, 'identity' | 'instance'>): string {
  return identity === '' ? `instance ${instance.slice(0, 8)}` : identity
}

export const tokenOf = ({ token }: Pick<Claim, 'token'>): string => (token === null ? '' : groupDigits(token.revision))

/** "#41", or "token 181,740" for a term that is not remembered. */
export function claimedTerm(claim: Claim, standing: Standing | null): string {
  const term = standing === null || standing.at === 'unseen' ? null : standing.term
  return term === null ? `token ${tokenOf(claim)}` : `#${term.ordinal}`
}

/** What it said, as it would say it. */
export function saying({ claim, standing }: Pick<Judged, 'claim' | 'standing'>): string {
  if (claim.token !== null) {
    const term = claimedTerm(claim, standing)
    if (claim.state === 'suspect') return `I cannot prove that I lead ${term}`
    return claim.state === 'draining' ? `I lead ${term}, draining` : `I lead ${term}`
  }
  switch (claim.state) {
    case 'leading':
      return 'I lead'
    case 'waiting':
      return 'I wait'
    case 'suspect':
      return 'I could not prove that I lead'
    case 'draining':
      return 'I am giving the seat up'
    case 'stopped':
      return 'I am stopped by a kill switch'
    case 'lost':
      return 'I am out of the queue'
  }
}

function leads(state: ElectionState): string {
  const leader = leaderOf(state.candidates)
  if (leader === null || state.term === null) return 'etcd says nobody leads.'
  return `etcd says ${called(leader)} leads #${state.term.ordinal}.`
}

function twins(claims: readonly Claim[], standing: Standing | null): string {
  const [first] = claims
  if (first === undefined) return ''
  const names = [...new Set(claims.map(speakerOf))]
  const who = names.length === 1 ? `${claims.length} instances called ${names[0]}` : names.join(' and ')
  const term = claimedTerm(first, standing)
  return `${who} claim ${term}${term.startsWith('#') ? ` with token ${tokenOf(first)}` : ''} at once.`
}

/** One exact sentence or two: who leads by etcd, and who claims what. */
export function dualClaimWords(state: ElectionState, { claimants }: DualClaim): string {
  const [worst] = claimants
  if (worst === undefined) return leads(state)
  const { claim, reason } = worst
  const standing = standingOf(state, claim)
  const term = claimedTerm(claim, standing)
  const who = speakerOf(claim)
  switch (reason) {
    case 'same-token': {
      const same = claimants.filter((each) => tokenOf(each.claim) === tokenOf(claim)).map((each) => each.claim)
      return twins(same, standing)
    }
    case 'term-ended':
      return `${leads(state)} ${who} still claims ${term}${term.startsWith('#') ? ', an older token' : ', an older one'}.`
    case 'other-lease':
      return `${leads(state)} ${who} claims it too, but the key is no longer on its lease.`
    case 'never-led':
      return `${leads(state)} ${who} claims ${term}, which has not led.`
  }
}

/** Why it cannot be, beside what it said. */
export function whyNot(state: ElectionState, { claim, reason }: Contradicting): string {
  const standing = standingOf(state, claim)
  switch (reason) {
    case 'same-token':
      return 'Another instance claims the same token.'
    case 'term-ended':
      return standing?.at === 'ended' && standing.term !== null
        ? `etcd ended that term at ${timeOfDay(standing.shown)}.`
        : 'A newer term has begun since.'
    case 'other-lease':
      return 'Its key is on another lease now.'
    case 'never-led':
      return 'etcd has not made this token the leader.'
  }
}

const list = (names: readonly string[]) =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/** What to do about it. */
export function nextStep({ claimants }: DualClaim): string {
  const twin = claimants.filter(({ reason }) => reason === 'same-token').map(({ claim }) => claim)
  const [first] = twin
  if (first !== undefined) {
    return `Restart all but one of them; a resource that checks tokens cannot tell writers with token ${tokenOf(first)} apart.`
  }
  const names = list([...new Set(claimants.map(({ claim }) => speakerOf(claim)))])
  const tokens = list([...new Set(claimants.map(({ claim }) => tokenOf(claim)))])
  const [what, which] = claimants.length === 1 ? ['that process', 'token'] : ['those processes', 'tokens']
  return `Restart ${what} (${names}); writes with ${which} ${tokens} are refused only by a resource that checks it.`
}
