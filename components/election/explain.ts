/** One exact plain sentence on why an election has its status. Never more than was observed. */
import { dualClaimOf } from '../../lib/election/claims.ts'
import { blockerOf, competitors, heldHeadOf, leaderOf } from '../../lib/election/queue.ts'
import { type StandingSwitch, stoppedBy } from '../../lib/election/scopes.ts'
import { recentFailovers, type Status } from '../../lib/election/status.ts'
import { isPending } from '../../lib/election/terms.ts'
import type { Cause, ElectionState, Gap, Term } from '../../lib/election/types.ts'
import { elapsedMs, type Instant } from '../../lib/shared/clock.ts'
import { count, milliseconds, seconds, shortDuration, timeOfDay } from '../../lib/shared/format.ts'
import { called } from './called.ts'
import { dualClaimWords } from './claim-words.ts'
import { remainingOf } from './remaining.ts'
import { switchWords } from './switch-words.ts'

const ENDINGS: Record<Cause, string> = {
  'resigned or removed': 'resigned or was removed',
  'lease lost': 'lost its lease',
  expired: 'let its lease expire',
  'handed off': 'handed off',
  revoked: 'had its lease revoked',
  'kill switch': 'was stopped by the kill switch',
  'store rolled back': 'was undone by a rollback of the store',
  unobserved: 'was gone',
}

/** "sp-2 lost its lease at 03:12:06". */
export function ending(term: Term): string {
  const known = term.endedBy !== null && !isPending(term.endedBy) ? term.endedBy.cause : null
  const verb = known === null ? 'was gone' : ENDINGS[known]
  const when = term.to === null ? '' : ` ${known === 'unobserved' ? 'by' : 'at'} ${timeOfDay(term.to)}`
  return `${called(term.leader)} ${verb}${when}`
}

function leaderless(state: ElectionState): string {
  const held = heldHeadOf(state.candidates)?.held
  if (held) return `A key that an enforced stop of ${held.by} put first in the queue still stands, so nobody can lead.`
  const blocker = blockerOf(state.candidates)
  if (blocker !== null) return `The older key ${blocker.key} stands first in the queue, so nobody can lead.`
  const last = state.ended.at(-1)
  if (last === undefined) return 'Nobody has a key under this prefix.'
  return `${ending(last)} and nobody is waiting to take over.`
}

function flapping(state: ElectionState, now: Instant): string {
  const times = recentFailovers(state, now)
  const [first, last] = [state.failovers.at(-times), state.failovers.at(-1)]
  const leaders = [...state.ended.slice(-times).map((term) => term.leader), ...(state.term ? [state.term.leader] : [])]
  const names = [...new Set(leaders.map(called))]
  const who = names.length === 2 ? names.join(' and ') : `${names.length} candidates`
  if (first === undefined || last === undefined || times < 2) return `${who} trade places.`
  return `${who} trade places about every ${shortDuration(elapsedMs(first, last) / (times - 1))}.`
}

function etcdsPart(probeP95Ms: number | null): string {
  return probeP95Ms === null ? '' : ` Probe p95 is ${milliseconds(probeP95Ms)}.`
}

function led(state: ElectionState, at: Instant | null): string {
  const when = at === null ? 'Not seen yet' : `As of ${timeOfDay(at)}`
  const leader = leaderOf(state.candidates)
  return leader === null
    ? `${when}: nobody led.`
    : `${when}: ${called(leader)} led, term #${state.term?.ordinal ?? '?'}.`
}

/** Who is still in the queue does not read the switch, or has not left yet. */
function stoppedWords({ candidates }: ElectionState, by: StandingSwitch | null): string {
  const left = competitors(candidates).length
  const rest = left === 0 ? '' : ` ${count(left, 'candidate')} still ${left === 1 ? 'stands' : 'stand'} in the queue.`
  return `Stopped on purpose${by === null ? '' : `: ${switchWords(by)}`}.${rest}`
}

export interface Seen {
  probeP95Ms: number | null
  frozenAt: Instant | null
  /** Times in which the cluster was not seen. */
  gaps?: readonly Gap[]
  switches?: readonly StandingSwitch[]
}

export function explain(state: ElectionState, status: Status, seen: Seen, now: Instant): string {
  const leader = leaderOf(state.candidates)
  const name = leader === null ? 'nobody' : called(leader)
  switch (status) {
    case 'leaderless':
      return leaderless(state)
    case 'unknown':
      return led(state, seen.frozenAt)
    case 'flapping':
      return `${flapping(state, now)}${etcdsPart(seen.probeP95Ms)}`
    case 'at-risk': {
      const left = leader === null ? null : remainingOf(leader, now)
      const late = left?.kind === 'left' ? `at least ${seconds(left.lateMs)} late` : 'late'
      return `${name}’s renewal is ${late}.${etcdsPart(seen.probeP95Ms)}`
    }
    case 'no-standby':
      return `${name} leads alone. If it goes, nobody takes over.`
    case 'unconfirmed':
      return `Looks like an election: ${state.foundBy}.`
    case 'dual-claim': {
      const dual = dualClaimOf(state, seen.gaps ?? [], now)
      return dual === null ? `${name} leads.` : dualClaimWords(state, dual)
    }
    case 'stopped':
      return stoppedWords(state, stoppedBy(state.prefixBase64, seen.switches ?? []))
    case 'handing-off':
      return `${name} is handing off.`
    case 'healthy':
      return `${name} leads.`
  }
}

/** A few words under the status: how long, how often, how late. */
export function statusDetail(state: ElectionState, status: Status, now: Instant): string {
  switch (status) {
    case 'leaderless':
      return state.leaderlessSince === null ? '' : shortDuration(elapsedMs(state.leaderlessSince, now))
    case 'dual-claim': {
      const dual = dualClaimOf(state, [], now)
      return dual === null ? '' : shortDuration(elapsedMs(dual.since, now))
    }
    case 'flapping':
      return `${recentFailovers(state, now)} in 1 h`
    case 'at-risk': {
      const leader = leaderOf(state.candidates)
      const left = leader === null ? null : remainingOf(leader, now)
      return left?.kind === 'left' ? `${seconds(left.lateMs)} late` : ''
    }
    default:
      return ''
  }
}
