/** What the Failovers page shows, as the URL keeps it. */
import { CAUSES, type Cause } from '../../lib/election/types.ts'
import { type Instant, instant } from '../../lib/shared/clock.ts'
import { RANGES, type Range, rangeFrom } from '../election/detail-range.ts'

const SECOND = 1_000
const HOUR = 3_600 * SECOND
const DAY_RANGE = RANGES[3]

export interface FailoverParams {
  text: string
  cause: Cause | null
  range: Range
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
    range: rangeFrom(params.get('range'), DAY_RANGE),
    end: Number.isNaN(end) ? null : instant(end),
    all: params.has('all'),
    rest: [...params].filter(([name]) => !OWN.includes(name)),
  }
}

export function writeFailoverParams({ text, cause, range, end, all, rest }: FailoverParams): string {
  const params = new URLSearchParams(rest.map(([name, value]) => [name, value]))
  if (range.id !== DAY_RANGE.id) params.set('range', range.id)
  if (end !== null) params.set('end', end)
  if (text !== '') params.set('q', text)
  if (cause !== null) params.set('cause', cause)
  if (all) params.set('all', '1')
  const written = params.toString()
  return written === '' ? '' : `?${written}`
}

export const isFiltered = ({ text, cause }: FailoverParams) => text.trim() !== '' || cause !== null

/** Long ranges move slowly, and cost the server more: they are asked for again less often. */
export function refetchMsOf({ ms }: Range): number {
  if (ms <= 6 * HOUR) return 3 * SECOND
  if (ms <= 24 * HOUR) return 5 * SECOND
  return ms <= 7 * 24 * HOUR ? 15 * SECOND : 60 * SECOND
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
