/** What a kill switch is engaged for: one election, a prefix, or everything in a cluster. */
import type { SwitchMatch } from '../../../lib/election/scopes.ts'
import { scopeMatches } from '../../../lib/election/scopes.ts'
import type { ElectionState } from '../../../lib/election/types.ts'
import { base64FromLatin1, escapeLatin1, fromLatin1, latin1FromBase64 } from '../../../lib/shared/bytes.ts'
import type { AuditSubject } from '../../history/audit.ts'
import type { Reach } from '../reach.ts'
import { Refused } from '../refused.ts'

export interface Scope {
  reach: Reach
  /** latin1 */
  scope: string
  /** The same bytes, canonical. */
  scopeBase64: string
  key: Uint8Array
}

export function scopeOf(reach: Reach, scopeBase64: string): Scope {
  const scope = latin1FromBase64(scopeBase64)
  return { reach, scope, scopeBase64: base64FromLatin1(scope), key: fromLatin1(`${reach.metaPrefix}switch/${scope}`) }
}

/** Confirmed elections below it; a look-alike is never acted upon. */
export function electionsIn({ reach, scope }: Pick<Scope, 'reach' | 'scope'>, match: SwitchMatch): ElectionState[] {
  return [...reach.view.elections.values()].filter(
    ({ confirmed, prefixBase64 }) => confirmed && scopeMatches(scope, match, latin1FromBase64(prefixBase64)),
  )
}

/** What has to be typed for it. */
export function typedNameOf(scope: Scope, match: SwitchMatch): string {
  const { reach } = scope
  if (scope.scope === '' && match === 'prefix') return reach.name
  const [only] = match === 'exact' ? electionsIn(scope, 'exact') : []
  return only === undefined ? escapeLatin1(scope.scope) : reach.view.nameOf(only)
}

/** "everything in prod-eu", "/elections/settlement/ and below", "settlement/eu". */
export function scopeWords(scope: Scope, match: SwitchMatch): string {
  if (scope.scope === '' && match === 'prefix') return `everything in ${scope.reach.name}`
  return match === 'exact' ? typedNameOf(scope, match) : `${escapeLatin1(scope.scope)} and below`
}

export function subjectOf(scope: Scope, match: SwitchMatch): AuditSubject & { cluster: string } {
  const name = scopeWords(scope, match)
  return { cluster: scope.reach.name, name, scope: escapeLatin1(scope.scope), scopeBase64: scope.scopeBase64 }
}

/** By the match of the record that stands, as the watcher saw it. */
export function seenSubject(scope: Scope): AuditSubject & { cluster: string } {
  const standing = scope.reach.view.info.switches?.find(({ scopeBase64 }) => scopeBase64 === scope.scopeBase64)
  return subjectOf(scope, standing?.match ?? 'exact')
}

/** Throws `Refused` unless exactly this was typed. */
export function requireTyped(scope: Scope, match: SwitchMatch, typed: string): void {
  const expected = typedNameOf(scope, match)
  if (typed === expected) return
  const why = 'The name that was typed is not the name of what would be acted upon.'
  throw new Refused({ code: 'name-not-typed', why, fix: `Type ${expected}`, expected, is: typed.slice(0, 200) })
}
