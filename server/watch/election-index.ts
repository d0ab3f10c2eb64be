/** Which elections the keys of a cluster make up, and which of them an event concerns. */
import type { ElectionChange, KeyPut } from '../../lib/election/changes.ts'
import { parseRef, refOf, shown } from '../../lib/election/ids.ts'
import { directoryOf, type LayoutPattern, type Recognised, recognise } from '../../lib/election/layouts.ts'
import type { ElectionRef, Layout, Revision } from '../../lib/election/types.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { type KeyRecord, KeyTree } from './key-tree.ts'

export interface Found {
  ref: ElectionRef
  layout: Layout
  /** latin1 */
  prefix: string
  confirmed: boolean
  foundBy: string
}

export type KeyEvent = { key: string; record: KeyRecord | null }
export type RoutedChange = { ref: ElectionRef; change: ElectionChange }

export interface Moment {
  at: Instant
  revision: Revision
}

export class ElectionIndex {
  private readonly tree = new KeyTree()
  private readonly queues = new Map<string, Found>()
  private readonly singles = new Map<string, Found>()
  private readonly patterns: readonly LayoutPattern[]
  private readonly metaPrefix: string
  /** Of elections that are found from now on. */
  epoch = 0

  /** `metaPrefix` is latin1; what lies under it never competes. */
  constructor(patterns: readonly LayoutPattern[], metaPrefix: string) {
    this.patterns = patterns
    this.metaPrefix = metaPrefix
  }

  get keys(): number {
    return this.tree.size
  }

  /** An election known from before, which may have no key now. */
  remember(found: Found): void {
    this.tableOf(found.layout).set(found.prefix, found)
  }

  forget(layout: Layout, prefix: string): void {
    this.tableOf(layout).delete(prefix)
  }

  /** A look-alike that somebody says is an election; null when there is none of that name, or it is no look-alike. */
  confirm(ref: ElectionRef, foundBy: string): RoutedChange | null {
    const { layout, prefixLatin1 } = parseRef(ref)
    const known = this.tableOf(layout).get(prefixLatin1)
    if (known === undefined || known.confirmed) return null
    known.confirmed = true
    known.foundBy = foundBy
    return { ref, change: { type: 'confirmed', foundBy } }
  }

  elections(): Found[] {
    return [...this.queues.values(), ...this.singles.values()]
  }

  /** Takes `entries` as all there is under `watched`, and says which elections they make up. */
  replace(watched: string, entries: Iterable<readonly [string, KeyRecord]>): Found[] {
    const old = [...this.tree.startingWith(watched)].map(([key]) => key)
    for (const key of old) this.tree.delete(key)
    for (const [key, record] of entries) {
      if (key.startsWith(this.metaPrefix)) continue
      this.tree.set(key, record)
      this.discover(key, record)
    }
    return this.elections().filter((found) => found.prefix.startsWith(watched))
  }

  /** Everything that competes in `found` now. */
  keysOf(found: Found): KeyPut[] {
    if (found.layout === 'single-key') {
      const record = this.tree.get(found.prefix)
      return record === undefined ? [] : [putOf(found.prefix, record, false)]
    }
    return [...this.tree.under(found.prefix)].map(([key, record]) => putOf(key, record, isNested(found, key)))
  }

  /** All that one revision did, as changes of the elections it concerns. */
  apply(events: readonly KeyEvent[], { late, ...moment }: Moment & { late?: boolean }): RoutedChange[] {
    const touched = new Map<Found, { puts: KeyPut[]; deletes: string[] }>()
    const opened = new Set<Found>()
    const changes: RoutedChange[] = []
    for (const { key, record } of events) {
      if (key.startsWith(this.metaPrefix)) continue
      if (record === null) this.tree.delete(key)
      else {
        this.tree.set(key, record)
        const news = this.discover(key, record)
        if (news?.opened) opened.add(news.found)
        if (news?.confirmed)
          changes.push({ ref: news.found.ref, change: { type: 'confirmed', foundBy: news.found.foundBy } })
      }
      for (const found of this.concerned(key)) {
        const entry = touched.get(found) ?? { puts: [], deletes: [] }
        touched.set(found, entry)
        const put = putOf(key, record ?? EMPTY, isNested(found, key))
        if (record === null) entry.deletes.push(put.keyBase64)
        else entry.puts.push(put)
      }
    }
    for (const [found, { puts, deletes }] of touched) {
      const change: ElectionChange = opened.has(found)
        ? this.opening(found, moment, !late)
        : { type: 'revision', ...moment, puts, deletes, ...(late ? { late } : {}) }
      changes.push({ ref: found.ref, change })
    }
    return changes
  }

  opening(found: Found, moment: Moment, live: boolean): Extract<ElectionChange, { type: 'opened' }> {
    const { text, base64 } = shown(found.prefix)
    return {
      type: 'opened',
      ...moment,
      live,
      layout: found.layout,
      prefix: text,
      prefixBase64: base64,
      confirmed: found.confirmed,
      foundBy: found.foundBy,
      epoch: this.epoch,
      keys: this.keysOf(found),
    }
  }

  private discover(key: string, { lease, held }: KeyRecord): { found: Found; opened?: true; confirmed?: true } | null {
    const recognised = recognise(key, lease, this.patterns) ?? byStop(key, held?.layout ?? null)
    if (recognised === null) return null
    const table = this.tableOf(recognised.layout)
    const known = table.get(recognised.prefix)
    if (known === undefined) {
      if (!recognised.confirmed && recognised.layout === 'single-key' && this.queues.has(directoryOf(key))) return null
      return { found: this.add(table, recognised), opened: true }
    }
    if (known.confirmed || !recognised.confirmed) return null
    known.confirmed = true
    known.foundBy = recognised.foundBy
    return { found: known, confirmed: true }
  }

  private add(table: Map<string, Found>, recognised: Recognised): Found {
    const found = { ...recognised, ref: refOf(recognised.layout, recognised.prefix) }
    table.set(found.prefix, found)
    return found
  }

  /** The elections in whose range `key` lies: its own, and every queue above it. */
  private *concerned(key: string): Generator<Found> {
    const single = this.singles.get(key)
    if (single !== undefined) yield single
    for (let end = key.lastIndexOf('/'); end >= 0; end = end === 0 ? -1 : key.lastIndexOf('/', end - 1)) {
      const queue = this.queues.get(key.slice(0, end + 1))
      if (queue !== undefined) yield queue
    }
  }

  private tableOf(layout: Layout): Map<string, Found> {
    return layout === 'queue' ? this.queues : this.singles
  }
}

/** What a stop holds is an election: only confirmed ones are acted upon. */
function byStop(key: string, layout: Layout | null): Recognised | null {
  if (layout === null) return null
  const prefix = layout === 'queue' ? directoryOf(key) : key
  return { layout, prefix, confirmed: true, foundBy: 'a key that an enforced stop holds' }
}

const EMPTY: KeyRecord = {
  identity: '',
  valueBytes: 0,
  lease: null,
  createRevision: '0' as Revision,
  modRevision: '0' as Revision,
}

function isNested(found: Found, key: string): boolean {
  return found.layout === 'queue' && key.indexOf('/', found.prefix.length) >= 0
}

function putOf(key: string, record: KeyRecord, nested: boolean): KeyPut {
  const { text, base64 } = shown(key)
  return {
    key: text,
    keyBase64: base64,
    identity: record.identity,
    valueBytes: record.valueBytes,
    lease: record.lease,
    createRevision: record.createRevision,
    modRevision: record.modRevision,
    nested,
    ...(record.held ? { held: { by: record.held.by, nonce: record.held.nonce } } : {}),
  }
}
