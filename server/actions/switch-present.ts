/** What candidates of the library say of themselves below a scope: one linearizable look, paged at its revision. */
import type { Presence } from '../../lib/election/presence.ts'
import type { SwitchMatch } from '../../lib/election/scopes.ts'
import type { LeaseId, Revision } from '../../lib/election/types.ts'
import { fromLatin1, latin1 } from '../../lib/shared/bytes.ts'
import { listKeys, rangeOf } from '../watch/list-keys.ts'
import { presenceFrom, READ_WITHIN_MS } from './read-election.ts'
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
