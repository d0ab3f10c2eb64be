/** What a release does not tell by itself: another stop may still apply to some of its scope, or to all. */
import type { EtcdError } from '../../../lib/election/ports.ts'
import { isHolding, type StandingSwitch, type SwitchMatch, scopeMatches } from '../../../lib/election/scopes.ts'
import { latin1FromBase64 } from '../../../lib/shared/bytes.ts'
import { readSwitches } from '../../watch/switch-watch.ts'
import { type Scope, scopeOf, scopeWords } from './switch-scope.ts'

const MOST_NAMED = 3

/** In sentences. Never rejects: what cannot be read is said to be so. */
export async function afterRelease(scope: Scope, match: SwitchMatch, signal: AbortSignal): Promise<string> {
  const read = await readSwitches(scope.reach, signal).catch((error: EtcdError) => error)
  if (read instanceof Error) return 'Candidates may lead again, unless another stop is engaged: that could not be read.'
  const named = (each: StandingSwitch) => scopeWords(scopeOf(scope.reach, each.scopeBase64), each.match)
  return stillWords(scope.scope, match, read.switches, named)
}

/** Pure. `scope` is latin1. */
export function stillWords(
  scope: string,
  match: SwitchMatch,
  switches: readonly StandingSwitch[],
  named: (each: StandingSwitch) => string,
): string {
  const others = switches.filter((each) => isHolding(each) && latin1FromBase64(each.scopeBase64) !== scope)
  const isOver = (each: StandingSwitch) => scopeMatches(latin1FromBase64(each.scopeBase64), each.match, scope)
  const over = others.filter(isOver)
  if (over.length > 0) return `${listed(over.map(named))} still engaged: nobody leads there yet.`
  const within = others.filter(({ scopeBase64 }) => scopeMatches(scope, match, latin1FromBase64(scopeBase64)))
  if (within.length === 0) return 'Candidates may lead again.'
  return `Candidates may lead again. ${listed(within.map(named))} still engaged: nobody leads there yet.`
}

function listed(names: readonly string[]): string {
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''
  return `${names.slice(0, MOST_NAMED).join(', ')}${more} ${names.length === 1 ? 'is' : 'are'}`
}
