/** What candidates of the library say of themselves below a scope: one linearizable look, paged at its revision. */
import { refOf } from '../../../lib/election/ids.ts'
import type { Presence } from '../../../lib/election/presence.ts'
import { type SwitchMatch, scopeMatches } from '../../../lib/election/scopes.ts'
import type { ElectionRef, LeaseId, Revision } from '../../../lib/election/types.ts'
import { escapeLatin1, fromLatin1, latin1 } from '../../../lib/shared/bytes.ts'
import { listKeys, rangeOf } from '../../watch/list-keys.ts'
import { presenceFrom, READ_WITHIN_MS } from '../read-election.ts'
import type { Scope } from './switch-scope.ts'

export interface Present {
  revision: Revision
  /** By the election's prefix (latin1), then by lease; null: it cannot be read. */
  byPrefix: ReadonlyMap<string, ReadonlyMap<LeaseId, Presence | null>>
}

/** Rejects with `EtcdError`. */
export async function readPresent({ reach, scope }: Scope, match: SwitchMatch, signal: AbortSignal): Promise<Present> {
  const all = `${reach.metaPrefix}presence/`
  const range = rangeOf(fromLatin1(match === 'exact' ? `${all}${scope}/` : `${all}${scope}`))
  const byPrefix = new Map<string, Map<LeaseId, Presence | null>>()
  let revision: Revision | null = null
  for await (const page of listKeys(reach.etcd, range, { deadlineMs: READ_WITHIN_MS, signal })) {
    revision ??= page.header.revision
    for (const { key, value, lease } of page.kvs) {
      if (lease === null) continue
      const name = latin1(key).slice(all.length)
      const prefix = name.slice(0, name.lastIndexOf('/'))
      const there = byPrefix.get(prefix) ?? new Map()
      byPrefix.set(prefix, there.set(lease, presenceFrom(value)))
    }
  }
  return { revision: revision ?? ('0' as Revision), byPrefix }
}

/** An election that the watcher does not know: outside what it watches, or without a key so far. */
export interface Unwatched {
  ref: ElectionRef
  name: string
  said: ReadonlyMap<LeaseId, Presence | null>
}

/** Those below the scope in which somebody is present all the same: they read its record. */
export function unwatchedIn({ reach, scope }: Scope, match: SwitchMatch, { byPrefix }: Present): Unwatched[] {
  return [...byPrefix].flatMap(([prefix, said]) => {
    const ref = refOf(prefix.endsWith('/') ? 'queue' : 'single-key', prefix)
    if (!scopeMatches(scope, match, prefix) || reach.view.elections.has(ref)) return []
    return [{ ref, name: escapeLatin1(prefix), said }]
  })
}
