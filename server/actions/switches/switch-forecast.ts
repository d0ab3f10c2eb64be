/** What a stop of a scope would meet: who leads there, who can acknowledge, and who would lead instead. */
import type { ForecastCandidate, ForecastElection, SwitchForecast } from '../../../lib/election/actions.ts'
import { competitors, leaderOf, nextUpOf } from '../../../lib/election/queue.ts'
import { type SwitchMatch, type SwitchMode, scopeMatches } from '../../../lib/election/scopes.ts'
import { standingSwitch } from '../../../lib/election/switches.ts'
import type { Candidate, ElectionState, LeaseId } from '../../../lib/election/types.ts'
import { escapeLatin1, latin1FromBase64 } from '../../../lib/shared/bytes.ts'
import { count } from '../../../lib/shared/format.ts'
import { READ_WITHIN_MS } from '../read-election.ts'
import { type Present, readPresent, unwatchedIn } from './switch-present.ts'
import { electionsIn, type Scope, typedNameOf } from './switch-scope.ts'

const MOST_SHOWN = 200

/** Rejects with `EtcdError`. */
export async function switchForecast(scope: Scope, match: SwitchMatch, signal: AbortSignal): Promise<SwitchForecast> {
  const { reach, key, scopeBase64 } = scope
  const [{ kvs, header }, present, outOfSpace] = await Promise.all([
    reach.etcd.range({ key, limit: 1 }, { deadlineMs: READ_WITHIN_MS, signal }),
    readPresent(scope, match, signal),
    outOfSpaceOf(scope, match, signal),
  ])
  const [kv] = kvs
  const elections = electionsIn(scope, match).map((state) => forecastOf(scope, state, present))
  for (const { ref, name, said } of unwatchedIn(scope, match, present)) {
    const nobody = { leader: null, nextUp: null, foreignNext: null }
    elections.push({ ref, name, ...nobody, candidates: said.size, acknowledging: said.size })
  }
  const sum = (of: (election: ForecastElection) => number) => elections.reduce((total, each) => total + of(each), 0)
  return {
    scope: escapeLatin1(scope.scope),
    scopeBase64,
    match,
    typedName: typedNameOf(scope, match),
    revision: header.revision,
    standing:
      kv === undefined
        ? null
        : { ...standingSwitch({ scope: scope.scope, value: kv.value }), modRevision: kv.modRevision },
    electionCount: elections.length,
    elections: elections.slice(0, MOST_SHOWN),
    candidates: sum(({ candidates }) => candidates),
    acknowledging: sum(({ acknowledging }) => acknowledging),
    ...proposalFor(elections),
    outOfSpace,
  }
}

function forecastOf({ reach }: Scope, state: ElectionState, { byPrefix }: Present): ForecastElection {
  const there = byPrefix.get(latin1FromBase64(state.prefixBase64))
  const knows = ({ lease }: Candidate) => lease !== null && there?.has(lease) === true
  const shown = (candidate: Candidate | null): ForecastCandidate | null =>
    candidate && { identity: candidate.identity, keyBase64: candidate.keyBase64, acknowledges: knows(candidate) }
  const queue = competitors(state.candidates)
  const leader = leaderOf(state.candidates)
  const foreign = queue.find((candidate) => !knows(candidate))
  return {
    ref: state.ref,
    name: reach.view.nameOf(state),
    leader: shown(leader),
    nextUp: shown(nextUpOf(state.candidates)),
    // Those that wait for a single key have no key of their own, only what they say of themselves.
    candidates: queue.filter((candidate) => !knows(candidate)).length + (there?.size ?? 0),
    acknowledging: there?.size ?? 0,
    foreignNext: leader !== null && knows(leader) && foreign !== undefined ? foreign.identity : null,
  }
}

/** Pure: which mode stops them, and why. */
export function proposalFor(elections: readonly ForecastElection[]): { proposes: SwitchMode; because: string } {
  const led = elections.filter(({ leader }) => leader !== null)
  const foreign = led.filter(({ leader }) => leader?.acknowledges === false)
  const [mixed, ...others] = elections.filter(({ foreignNext }) => foreignNext !== null)
  const waiting = elections.some(({ candidates, acknowledging }) => candidates > acknowledging)
  if (foreign.length > 0) {
    const because = `${foreign.length} of ${count(led.length, 'leader')} cannot read the switch: only holding the head keeps the seat.`
    return { proposes: 'enforced', because }
  }
  if (mixed !== undefined) {
    const more = others.length > 0 ? `, and so in ${count(others.length, 'other election')}` : ''
    const who = mixed.foreignNext === '' ? 'a candidate without a name' : mixed.foreignNext
    const because = `When its leader stops, ${who} would lead ${mixed.name}: it cannot read the switch${more}.`
    return { proposes: 'enforced', because }
  }
  if (waiting) return { proposes: 'enforced', because: 'Candidates wait that cannot read the switch.' }
  const all = elections.reduce((total, { candidates }) => total + candidates, 0)
  const because =
    all === 0
      ? 'No candidate is there now.'
      : `${all === 1 ? 'The only candidate' : `All ${all} candidates`} can read the switch and will acknowledge.`
  return { proposes: 'cooperative', because }
}

/** null: there is space, or etcd did not say. */
export async function outOfSpaceOf(
  scope: Scope,
  match: SwitchMatch,
  signal: AbortSignal,
): Promise<SwitchForecast['outOfSpace']> {
  const { reach } = scope
  const options = { deadlineMs: READ_WITHIN_MS, signal }
  const alarms = await reach.etcd.alarms(options).catch(() => [])
  if (!alarms.some(({ type }) => type === 'NOSPACE')) return null
  const present = await readPresent(scope, match, signal)
  const others = (reach.view.info.switches ?? []).filter(({ scopeBase64 }) => scopeBase64 !== scope.scopeBase64)
  const stops: string[] = []
  let of = 0
  for (const [prefix, there] of present.byPrefix) {
    if (!scopeMatches(scope.scope, match, prefix)) continue
    of += there.size
    if (others.some((each) => scopeMatches(latin1FromBase64(each.scopeBase64), each.match, prefix))) continue
    stops.push(...haltsIn(there))
  }
  return { stops, of }
}

function haltsIn(there: ReadonlyMap<LeaseId, { identity: string; onMissingSwitch: string } | null>): string[] {
  return [...there.values()].flatMap((says) => (says?.onMissingSwitch === 'halt' ? [says.identity] : []))
}
