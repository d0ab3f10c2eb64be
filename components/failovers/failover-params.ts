/** What the Failovers page shows, as the URL keeps it. */
import { CAUSES, type Cause } from '../../lib/election/types.ts'
import { type Instant, instant } from '../../lib/shared/clock.ts'

const SECOND = 1_000
const HOUR = 3_600 * SECOND
const DAY = 24 * HOUR

/** Long ranges move slowly, and cost the server more: they are asked for again less often. */
export const FAILOVER_RANGES = [
  { id: '1h', label: '1 h', ms: HOUR, refetchMs: 3 * SECOND },
  { id: '6h', label: '6 h', ms: 6 * HOUR, refetchMs: 3 * SECOND },
  { id: '24h', label: '24 h', ms: DAY, refetchMs: 5 * SECOND },
  { id: '7d', label: '7 d', ms: 7 * DAY, refetchMs: 15 * SECOND },
  { id: '30d', label: '30 d', ms: 30 * DAY, refetchMs: 60 * SECOND },
] as const
export type FailoverRange = (typeof FAILOVER_RANGES)[number]
export const HOUR_RANGE = FAILOVER_RANGES[0]
const DEFAULT = FAILOVER_RANGES[2]

export interface FailoverParams {
  text: string
  cause: Cause | null
  range: FailoverRange
  /** The right edge; null follows the clock. */
  end: Instant | null
  /** Every change as a table, in the place of the charts. */
  all: boolean
  /** Parameters of other parts of the page, such as the cluster. */
  rest: readonly (readonly [string, string])[]
}

const OWN = ['q', 'cause', 'range', 'end', 'all']

/** Anything unknown reads as the default: an old link still opens the page. */
export function readFailoverParams(params: URLSearchParams): FailoverParams {
  const end = Date.parse(params.get('end') ?? '')
  return {
    text: params.get('q') ?? '',
    cause: CAUSES.find((each) => each === params.get('cause')) ?? null,
    range: FAILOVER_RANGES.find(({ id }) => id === params.get('range')) ?? DEFAULT,
    end: Number.isNaN(end) ? null : instant(end),
    all: params.has('all'),
    rest: [...params].filter(([name]) => !OWN.includes(name)),
  }
}

export function writeFailoverParams({ text, cause, range, end, all, rest }: FailoverParams): string {
  const params = new URLSearchParams(rest.map(([name, value]) => [name, value]))
  if (range !== DEFAULT) params.set('range', range.id)
  if (end !== null) params.set('end', end)
  if (text !== '') params.set('q', text)
  if (cause !== null) params.set('cause', cause)
  if (all) params.set('all', '1')
  const written = params.toString()
  return written === '' ? '' : `?${written}`
}

export const isFiltered = ({ text, cause }: FailoverParams) => text.trim() !== '' || cause !== null

export function stepFailoverRange(range: FailoverRange, by: 1 | -1): FailoverRange {
  const at = FAILOVER_RANGES.indexOf(range) + by
  return FAILOVER_RANGES[Math.max(0, Math.min(FAILOVER_RANGES.length - 1, at))] ?? range
}

/** What is asked of the server. */
export function filtersOf({ text, cause }: FailoverParams, cluster: string, span: { fromMs: number; toMs: number }) {
  const search = text.trim()
  return {
    cluster,
    from: instant(span.fromMs),
    to: instant(span.toMs),
    ...(search === '' ? {} : { text: search.slice(0, 200) }),
    ...(cause === null ? {} : { causes: [cause] }),
  }
}
