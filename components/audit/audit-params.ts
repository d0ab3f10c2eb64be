/** What the audit page shows, as the URL keeps it. */
import { type Instant, instant, msOf } from '../../lib/shared/clock.ts'

export const RESULTS = ['verified', 'failed', 'unknown', 'refused', 'done'] as const
export type Result = (typeof RESULTS)[number]

export interface AuditParams {
  query: string
  /** Any verb: one that this page does not know is still asked for. */
  verb: string | null
  result: Result | null
  cluster: string | null
  from: Instant | null
  to: Instant | null
}

export const NO_PARAMS: AuditParams = { query: '', verb: null, result: null, cluster: null, from: null, to: null }

/** The server finds nothing by less. */
const LEAST_SEARCH = 3

function timeFrom(text: string | null): Instant | null {
  const ms = Date.parse(text ?? '')
  return Number.isNaN(ms) ? null : instant(ms)
}

/** Anything unknown reads as "all": an old link still opens the page. */
export function readAuditParams(params: URLSearchParams): AuditParams {
  return {
    query: params.get('q') ?? '',
    verb: params.get('verb') || null,
    result: RESULTS.find((each) => each === params.get('result')) ?? null,
    cluster: params.get('cluster') || null,
    from: timeFrom(params.get('from')),
    to: timeFrom(params.get('to')),
  }
}

export function writeAuditParams({ query, ...rest }: AuditParams): string {
  const params = new URLSearchParams()
  if (query !== '') params.set('q', query)
  for (const [name, value] of Object.entries(rest)) if (value !== null) params.set(name, value)
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

export interface AuditFilters {
  search?: string
  verb?: string
  result?: Result
  cluster?: string
  from?: Instant
  to?: Instant
}

export const endsBeforeItBegins = ({ from, to }: AuditParams) => from !== null && to !== null && from >= to

/** What is asked of the server: neither a search that is too short to find anything, nor an end before its beginning. */
export function filtersOf(params: AuditParams): AuditFilters {
  const { query, ...rest } = endsBeforeItBegins(params) ? { ...params, to: null } : params
  const search = query.trim()
  const chosen = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null))
  return { ...chosen, ...([...search].length >= LEAST_SEARCH ? { search } : {}) }
}

/** At a moment of the past nothing later had been tried. */
export function asSeenAt(filters: AuditFilters, at: Instant | null): AuditFilters {
  const end = at === null ? null : instant(msOf(at) + 1)
  return end === null || (filters.to !== undefined && filters.to < end) ? filters : { ...filters, to: end }
}

export const isShortSearch = ({ query }: AuditParams) => query.trim() !== '' && [...query.trim()].length < LEAST_SEARCH

export const isFiltered = (params: AuditParams) => Object.keys(filtersOf(params)).length > 0

export function exportHref(format: 'csv' | 'jsonl', params: AuditParams): string {
  return `/api/audit/export?${new URLSearchParams({ format, ...filtersOf(params) })}`
}

/** For a field of date and time, whose value has no zone: it is read as UTC. */
export const fieldTime = (at: Instant | null) => (at === null ? '' : at.slice(0, 16))
export const timeOfField = (value: string): Instant | null => timeFrom(value === '' ? null : `${value}:00Z`)
