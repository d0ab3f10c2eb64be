/** What the list shows, as the URL keeps it. */
import { STATUSES } from '../../lib/election/status.ts'
import type { Filter } from './list-model.ts'
import { SORT_KEYS, type Sort } from './list-order.ts'

export interface ListParams {
  /** null: all clusters. */
  cluster: string | null
  filter: Filter
  query: string
  sort: Sort
}

const FILTERS: readonly string[] = ['all', 'attention', ...STATUSES]

/** Anything unknown reads as the default: an old link still opens the list. */
export function readParams(params: URLSearchParams): ListParams {
  const filter = params.get('status') ?? 'all'
  const sort = params.get('sort') ?? 'status'
  const reversed = sort.startsWith('-')
  const key = SORT_KEYS.find((known) => known === sort.replace(/^-/, ''))
  return {
    cluster: params.get('cluster') || null,
    filter: FILTERS.includes(filter) ? (filter as Filter) : 'all',
    query: params.get('q') ?? '',
    sort: key === undefined ? { key: 'status', reversed: false } : { key, reversed },
  }
}

/** Only what differs from the default, so that the plain list has the plain address. */
export function writeParams({ cluster, filter, query, sort }: ListParams): string {
  const params = new URLSearchParams()
  if (cluster !== null) params.set('cluster', cluster)
  if (filter !== 'all') params.set('status', filter)
  if (query !== '') params.set('q', query)
  if (sort.key !== 'status' || sort.reversed) params.set('sort', `${sort.reversed ? '-' : ''}${sort.key}`)
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}
