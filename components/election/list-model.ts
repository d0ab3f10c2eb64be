/** The list of elections as data: one row each, which of them are shown, and in which order. Pure. */
import { claimsHoldUntilMs } from '../../lib/election/claims.ts'
import type { ClusterView } from '../../lib/election/cluster-view.ts'
import { competitors } from '../../lib/election/queue.ts'
import { LEADERLESS_AFTER_MS, needsAttention, rankOf, type Status, statusOf } from '../../lib/election/status.ts'
import type { Cluster, ElectionRef, ElectionState, Freshness, Gap } from '../../lib/election/types.ts'
import { type Instant, msOf } from '../../lib/shared/clock.ts'

export interface Row {
  id: string
  cluster: string
  ref: ElectionRef
  state: ElectionState
  name: string
  status: Status
  /** The status while the cluster was last live; the same as `status` while it is. */
  lastKnown: Status
  /** Everything a filter looks at, in lower case. */
  search: string
  /** The name with numbers padded, so that plain comparison puts worker-2 before worker-10. */
  order: string
}

/** One cluster with what this tab knows of its freshness. */
export interface SeenView {
  view: ClusterView
  freshness: Freshness
  frozenAt: Instant | null
}

interface Cached {
  row: Row
  freshness: Freshness
  untilMs: number
  structure: number
  orders: string
}

const HOUR_MS = 3_600_000
const SEARCHED_CANDIDATES = 32
const cache = new WeakMap<ElectionState, Cached>()

/** When the status of an unchanged election may change by time alone. */
function holdsUntilMs(state: ElectionState, gaps: readonly Gap[], nowMs: number): number {
  const leaderless = state.leaderlessSince === null ? Infinity : msOf(state.leaderlessSince) + LEADERLESS_AFTER_MS
  const oldest = state.failovers.find((at) => msOf(at) + HOUR_MS > nowMs)
  const failover = oldest === undefined ? Infinity : msOf(oldest) + HOUR_MS
  const claims = claimsHoldUntilMs(state, gaps, nowMs)
  return Math.min(leaderless < nowMs ? Infinity : leaderless + 1, failover, claims)
}

/** What people do to elections changes their status, and not their state. */
const ordersOf = ({ switches, handingOff }: Cluster) => JSON.stringify([switches, handingOff])

function naturalOrder(name: string): string {
  return name.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(10, '0'))
}

function searchText(state: ElectionState, name: string): string {
  const who = competitors(state.candidates).slice(0, SEARCHED_CANDIDATES)
  return [state.prefix, name, ...who.map(({ identity }) => identity)].join('\n').toLowerCase()
}

function rowOf(state: ElectionState, seen: SeenView, name: string, now: Instant): Row {
  const { info } = seen.view
  const live: Cluster = { ...info, freshness: 'live' }
  const lastKnown = statusOf(state, live, seen.frozenAt ?? now)
  return {
    id: `${info.name}\n${state.ref}`,
    cluster: info.name,
    ref: state.ref,
    state,
    name,
    status: seen.freshness === 'live' ? lastKnown : statusOf(state, { ...info, freshness: seen.freshness }, now),
    lastKnown,
    search: searchText(state, name),
    order: naturalOrder(name),
  }
}

interface Renewal {
  now: Instant
  orders: string
  structure: number
  /** Still true but for its name, perhaps. */
  known: Cached | undefined
}

function renewed(state: ElectionState, seen: SeenView, { now, structure, orders, known }: Renewal): Row {
  const name = seen.view.nameOf(state)
  const row = known?.row.name === name ? known.row : rowOf(state, seen, name, now)
  const untilMs = known?.untilMs ?? holdsUntilMs(state, seen.view.info.gaps, msOf(now))
  cache.set(state, { row, freshness: seen.freshness, untilMs, structure, orders })
  return row
}

/**
 * A row for every election; unchanged elections keep their row object. `structure` is a number that
 * rises when elections come or go: only then can two names begin or cease to be the same.
 */
export function rowsOf(views: readonly SeenView[], now: Instant, structure: number): Row[] {
  const nowMs = msOf(now)
  const rows: Row[] = []
  for (const seen of views) {
    const orders = ordersOf(seen.view.info)
    for (const state of seen.view.elections.values()) {
      const known = cache.get(state)
      const holds = known?.freshness === seen.freshness && nowMs < known.untilMs && known.orders === orders
      if (holds && known.structure === structure) rows.push(known.row)
      else rows.push(renewed(state, seen, { now, structure, orders, known: holds ? known : undefined }))
    }
  }
  return rows
}

export type Filter = 'all' | 'attention' | Status

export function isIn(filter: Filter, row: Row): boolean {
  if (filter === 'all') return true
  return filter === 'attention' ? needsAttention(row.status) : row.status === filter
}

/** Rows of `filter` whose search text has every word of `query`. */
export function shownRows(rows: readonly Row[], filter: Filter, query: string): Row[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.filter((row) => isIn(filter, row) && words.every((word) => row.search.includes(word)))
}

export interface Counts {
  all: number
  attention: number
  by: Partial<Record<Status, number>>
}

export function countsOf(rows: readonly Row[]): Counts {
  const counts: Counts = { all: rows.length, attention: 0, by: {} }
  for (const { status } of rows) {
    if (needsAttention(status)) counts.attention += 1
    counts.by[status] = (counts.by[status] ?? 0) + 1
  }
  return counts
}

/** The worst, worst first; by what was known last where the cluster is not live. */
export function worstRows(rows: readonly Row[], most: number): Row[] {
  return rows
    .filter((row) => needsAttention(row.lastKnown))
    .sort((a, b) => rankOf(a.lastKnown) - rankOf(b.lastKnown) || (a.order < b.order ? -1 : 1))
    .slice(0, most)
}
