/** What is looked at before a handoff, each told as it was found. What is not known never passes. */
import type { PreflightCheck } from '../../../lib/election/actions.ts'
import type { Refusal, Role } from '../../../lib/election/policy.ts'
import type { Cluster, Revision } from '../../../lib/election/types.ts'
import { compareDecimal, groupDigits } from '../../../lib/shared/decimal.ts'
import { milliseconds } from '../../../lib/shared/format.ts'
import type { Place } from './seat.ts'

export interface CheckFacts {
  cluster: Cluster
  /** Of the linearizable read that was made for this. */
  readAt: Revision
  layout: 'queue' | 'single-key'
  nextUp: Place | null
  /** Of a single key: how many say that they wait. */
  waiting: number
  /** Of the next one's lease; `gone` where etcd has none, null where it did not tell. */
  nextTtl: { grantedMs: number; remainingMs: number } | 'gone' | null
  inFlight: boolean
  role: Role | null
  /** What the policy says. */
  refusal: Refusal | null
}

export function checksOf(facts: CheckFacts): PreflightCheck[] {
  return [quorum(facts), standby(facts), current(facts), inFlight(facts), allowed(facts), FENCING]
}

const FENCING: PreflightCheck = {
  id: 'fencing',
  is: 'unknown',
  title: 'Tenure cannot see fencing',
  words: 'only what the leader writes to can refuse an older token',
}

/** The read that all of this comes from was linearizable: it took a quorum. */
function quorum({ cluster: { members } }: CheckFacts): PreflightCheck {
  const reachable = members.filter((member) => member.reachable).length
  const probes = members.flatMap(({ probeRttMs }) => (probeRttMs === null ? [] : [probeRttMs]))
  const slowest = probes.length === 0 ? '' : `, slowest probe ${milliseconds(Math.max(...probes))}`
  return { id: 'quorum', is: 'pass', title: 'Quorum ok', words: `${reachable} of ${members.length} members${slowest}` }
}

function standby({ layout, nextUp, waiting, nextTtl }: CheckFacts): PreflightCheck {
  const check = (is: PreflightCheck['is'], title: string, words: string) => ({
    id: 'standby' as const,
    is,
    title,
    words,
  })
  if (layout === 'single-key') {
    if (waiting > 0) return check('pass', 'Standby waits', `${waiting} by what candidates say of themselves`)
    return check('unknown', 'Standby not known', 'whoever waits for a single key leaves no trace in etcd')
  }
  if (nextUp === null) return check('fail', 'No standby', 'nobody would lead after this leader')
  const name = nextUp.identity
  if (nextUp.lease === null) return check('unknown', 'Standby not known', `${name}, whose key has no lease`)
  if (nextTtl === null) return check('unknown', 'Standby not known', `${name}: etcd did not tell of its lease`)
  if (nextTtl === 'gone') return check('fail', 'Standby is gone', `${name}: its lease does not exist any more`)
  const whole = (ms: number) => Math.round(ms / 1_000)
  return check(
    'pass',
    'Standby healthy',
    `${name}, lease ${whole(nextTtl.remainingMs)} of ${whole(nextTtl.grantedMs)} s`,
  )
}

function current({ cluster: { freshness, revision }, readAt }: CheckFacts): PreflightCheck {
  const is = freshness === 'live' ? 'pass' : 'fail'
  const behind = compareDecimal(revision, readAt) < 0 ? `, read anew at ${groupDigits(readAt)}` : ''
  const title = is === 'pass' ? 'Your view is current' : 'Your view is stale'
  return { id: 'current', is, title, words: `revision ${groupDigits(revision)}${behind}` }
}

function inFlight({ inFlight: is }: CheckFacts): PreflightCheck {
  return is
    ? {
        id: 'in-flight',
        is: 'fail',
        title: 'Action in flight',
        words: 'another one on this election has no outcome yet',
      }
    : { id: 'in-flight', is: 'pass', title: 'No action in flight', words: 'on this election' }
}

/** What another check tells already is not told again. */
const TOLD_ELSEWHERE = new Set(['stale', 'in-flight', 'no-standby'])

function allowed({ role, refusal }: CheckFacts): PreflightCheck {
  if (refusal === null || TOLD_ELSEWHERE.has(refusal.code)) {
    return { id: 'allowed', is: 'pass', title: 'You may do this', words: role ?? '' }
  }
  return { id: 'allowed', is: 'fail', title: 'You may not do this now', words: refusal.why }
}
