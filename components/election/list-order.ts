/** In which order rows stand, and how many would move. Pure. */
import { competitors, leaderOf } from '../../lib/election/queue.ts'
import { rankOf } from '../../lib/election/status.ts'
import { compareDecimal } from '../../lib/shared/decimal.ts'
import type { Row } from './list-model.ts'

export const SORT_KEYS = ['status', 'election', 'leader', 'term', 'since', 'candidates', 'failovers', 'change'] as const
export type SortKey = (typeof SORT_KEYS)[number]

export interface Sort {
  key: SortKey
  reversed: boolean
}

const text = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)
const leaderName = (row: Row) => leaderOf(row.state.candidates)?.identity ?? '\uffff'
const began = (row: Row) => row.state.term?.from ?? row.state.leaderlessSince ?? ''
const changed = (row: Row) => row.state.ended.at(-1)?.to ?? ''

// Each in the direction that is most useful first: worst, A to Z, newest, most.
const COMPARE: Record<SortKey, (a: Row, b: Row) => number> = {
  status: (a, b) => rankOf(a.status) - rankOf(b.status) || rankOf(a.lastKnown) - rankOf(b.lastKnown),
  election: (a, b) => text(a.order, b.order),
  leader: (a, b) => text(leaderName(a), leaderName(b)),
  term: (a, b) => compareDecimal(b.state.term?.token ?? '0', a.state.term?.token ?? '0'),
  since: (a, b) => text(began(b), began(a)),
  candidates: (a, b) => competitors(b.state.candidates).length - competitors(a.state.candidates).length,
  failovers: (a, b) => b.state.failovers.length - a.state.failovers.length,
  change: (a, b) => text(changed(b), changed(a)),
}

export function compareRows({ key, reversed }: Sort): (a: Row, b: Row) => number {
  const compare = COMPARE[key]
  return (a, b) => (reversed ? compare(b, a) : compare(a, b)) || text(a.order, b.order) || text(a.id, b.id)
}

/** Sorted; rows that stand in order already make it cheap. */
export function sorted(rows: readonly Row[], sort: Sort): Row[] {
  return rows.slice().sort(compareRows(sort))
}

/** `rows` in the order of `ids`; rows that are new go last, in their own order. */
export function inOrderOf(ids: readonly string[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const kept = ids.flatMap((id) => {
    const row = byId.get(id)
    byId.delete(id)
    return row === undefined ? [] : [row]
  })
  return [...kept, ...byId.values()]
}

/** How many rows of `held` must move to stand as in `wanted`: all but the longest run already in order. */
export function movedCount(held: readonly Row[], wanted: readonly Row[]): number {
  const place = new Map(wanted.map((row, at) => [row.id, at]))
  const tails: number[] = []
  let total = 0
  for (const row of held) {
    const at = place.get(row.id)
    if (at === undefined) continue
    total += 1
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((tails[middle] ?? 0) < at) low = middle + 1
      else high = middle
    }
    tails[low] = at
  }
  return total - tails.length
}
