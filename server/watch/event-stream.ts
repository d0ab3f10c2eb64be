/** The one watch stream of a cluster: whole revisions, each range with a cursor of its own. */
import { isNewer } from '../../lib/election/ids.ts'
import { EtcdError, type WatchEvent, type WatchPort, type WatchSignal } from '../../lib/election/ports.ts'
import type { Revision } from '../../lib/election/types.ts'
import { latin1 } from '../../lib/shared/bytes.ts'
import { nextDecimal } from '../../lib/shared/decimal.ts'
import type { KeyEvent } from './election-index.ts'
import { recordOf } from './key-tree.ts'
import type { KeyRange } from './list-keys.ts'

export interface RevisionEvents {
  revision: Revision
  events: KeyEvent[]
}

const revisionOf = (event: WatchEvent) => (event.type === 'put' ? event.kv.modRevision : event.revision)

/** Events in order → one group per revision. */
export function byRevision(events: readonly WatchEvent[]): RevisionEvents[] {
  const groups: RevisionEvents[] = []
  for (const event of events) {
    const revision = revisionOf(event)
    let group = groups.at(-1)
    if (group?.revision !== revision) {
      group = { revision, events: [] }
      groups.push(group)
    }
    if (event.type === 'put') group.events.push({ key: latin1(event.kv.key), record: recordOf(event.kv) })
    else group.events.push({ key: latin1(event.key), record: null })
  }
  return groups
}

export interface Cursor {
  range: KeyRange
  /** Everything up to and including this revision has been seen. */
  seen: Revision
}

/**
 * Follows all cursors until the stream breaks, which it reports by rejecting with the `EtcdError`:
 * `compacted` when a cursor is too old to go on from. Advances each cursor as its events are handed on.
 * What `on` throws breaks it, too: a member that turns out to lag, before any of its events is handed on.
 */
export async function followEvents(
  watch: WatchPort,
  cursors: readonly Cursor[],
  signal: AbortSignal,
  on: {
    created: (revision: Revision, endpoint: string) => void
    current: (revision: Revision, endpoint: string) => void
    revision: (group: RevisionEvents) => void
  },
): Promise<never> {
  const ranges = cursors.map(({ range, seen }) => ({ ...range, from: nextDecimal(seen) as Revision }))
  const stream = await watch.open(ranges, { signal })
  try {
    for await (const signals of stream.signals) {
      for (const each of signals) {
        if (each.type === 'created') on.created(each.revision, stream.endpoint)
        else if (each.type === 'alive') on.current(each.revision, stream.endpoint)
        else take(each, cursors, stream.endpoint, on.revision)
      }
    }
  } finally {
    stream.close()
  }
  throw new EtcdError('unavailable', 'the watch stream ended', stream.endpoint)
}

function take(
  each: Exclude<WatchSignal, { type: 'alive' | 'created' }>,
  cursors: readonly Cursor[],
  endpoint: string,
  onRevision: (group: RevisionEvents) => void,
): void {
  if (each.type === 'canceled') {
    if (each.compactRevision !== null) {
      throw new EtcdError('compacted', `the watch's start was compacted at revision ${each.compactRevision}`, endpoint)
    }
    const denied = /permission denied/i.test(each.reason)
    throw new EtcdError(denied ? 'denied' : 'unavailable', `etcd canceled the watch: ${each.reason}`, endpoint)
  }
  const cursor = cursors[each.range]
  if (cursor === undefined) return
  for (const group of byRevision(each.events)) {
    if (!isNewer(group.revision, cursor.seen)) continue
    onRevision(group)
    cursor.seen = group.revision
  }
  // A progress notice: nothing happened up to the header's revision.
  if (each.events.length === 0 && isNewer(each.header.revision, cursor.seen)) cursor.seen = each.header.revision
}
