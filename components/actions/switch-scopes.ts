/** What a stop can be about: one election, everything under one of its parents, or the whole cluster. */
import type { SwitchMatch } from '../../lib/election/scopes.ts'
import type { Cluster } from '../../lib/election/types.ts'
import { base64FromLatin1, escapeLatin1, latin1FromBase64 } from '../../lib/shared/bytes.ts'

export interface ScopeChoice {
  scopeBase64: string
  match: SwitchMatch
  /** "This election", "Everything under /elections/payments/", "All of prod-eu". */
  label: string
}

export const idOf = ({ scopeBase64, match }: Pick<ScopeChoice, 'scopeBase64' | 'match'>) => `${match} ${scopeBase64}`

function everything({ name }: Pick<Cluster, 'name'>): ScopeChoice {
  return { scopeBase64: '', match: 'prefix', label: `All of ${name}` }
}

/** Parents of a prefix, nearest first, as far up as it is watched. */
function parents(prefix: string, watched: readonly string[]): string[] {
  const root = watched.filter((start) => prefix.startsWith(start)).sort((a, b) => b.length - a.length)[0] ?? ''
  const found: string[] = []
  // From the character before the last: a queue's own "/" is no parent's.
  for (let end = prefix.lastIndexOf('/', prefix.length - 2); end > 0; end = prefix.lastIndexOf('/', end - 1)) {
    if (end + 1 < root.length) break
    found.push(prefix.slice(0, end + 1))
  }
  return found
}

/** `prefixBase64` is null where no election is in sight. */
export function scopeChoices(prefixBase64: string | null, cluster: Pick<Cluster, 'name' | 'watched'>): ScopeChoice[] {
  if (prefixBase64 === null) {
    const tops = cluster.watched.filter(({ prefix }) => prefix !== '')
    const under = tops.map(({ prefix, prefixBase64: base64 }) => below(prefix, base64))
    return [...under, everything(cluster)]
  }
  const watched = cluster.watched.map((each) => latin1FromBase64(each.prefixBase64))
  const above = parents(latin1FromBase64(prefixBase64), watched)
  return [
    { scopeBase64: prefixBase64, match: 'exact', label: 'This election' },
    ...above.map((parent) => below(escapeLatin1(parent), base64FromLatin1(parent))),
    everything(cluster),
  ]
}

const below = (prefix: string, scopeBase64: string): ScopeChoice => ({
  scopeBase64,
  match: 'prefix',
  label: `Everything under ${prefix}`,
})
