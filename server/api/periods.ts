/** Two stretches of one election's past, side by side. */
import { type PeriodFigures, periodFigures } from '../../lib/election/period.ts'
import { type Stop, stops } from '../../lib/election/stops.ts'
import type { ElectionState, Gap, Term } from '../../lib/election/types.ts'
import { type Instant, instant, later, msOf } from '../../lib/shared/clock.ts'
import type { History, HistoryState } from '../history/history.ts'

const PAGE = 1_000
/** Ten thousand changes: an election that changes more often is no better known by more of them. */
const MOST_PAGES = 10

export interface PeriodShape extends PeriodFigures {
  from: Instant
  to: Instant
}

type Election = { cluster: string } & Pick<ElectionState, 'ref' | 'prefixBase64'>

/** The range, and as much time before it; null where nothing is known of that. */
export async function comparedPeriods(
  history: History,
  election: Election,
  { from, to }: { from: Instant; to: Instant },
): Promise<{ current: PeriodShape; previous: PeriodShape | null }> {
  const lengthMs = msOf(to) - msOf(from)
  const before = instant(msOf(from) - lengthMs)
  const seen = await readSeen(history, election, { from: before, to })
  const shape = (range: { from: Instant; to: Instant }): PeriodShape => {
    const span = { fromMs: msOf(range.from), toMs: msOf(range.to) }
    return { ...range, ...periodFigures(seen, span) }
  }
  const previous = shape({ from: before, to: from })
  return { current: shape({ from, to }), previous: previous.judgedMs > 0 ? previous : null }
}

async function readSeen(history: History, election: Election, range: { from: Instant; to: Instant }) {
  const all: Stop[] = await history.stops({ cluster: election.cluster, ...range })
  const seen = await readTerms(history, election, range)
  const gaps = [...seen.gaps, ...unwritten(history.state(), range)]
  return { terms: seen.terms, gaps, stops: all.filter((stop) => stops(stop, election.prefixBase64)) }
}

/** While nothing is written, what happens is not on record: that is not that nothing happens. */
export function unwritten(state: HistoryState, { from, to }: { from: Instant; to: Instant }): Gap[] {
  if (state.ok || state.since >= to) return []
  return [{ from: later(state.since, from), to, reason: `history is not being written: ${state.error}` }]
}

/** All terms of a range, as far as so many are counted; what lies before those is not observed. */
export async function readTerms(
  history: History,
  { cluster, ref }: Pick<Election, 'cluster' | 'ref'>,
  range: { from: Instant; to: Instant },
): Promise<{ terms: Term[]; gaps: Gap[] }> {
  const terms: Term[] = []
  const gaps: Gap[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const found = await history.terms({ cluster, ref, ...range, limit: PAGE, ...(cursor ? { cursor } : {}) })
    terms.push(...found.terms)
    gaps.push(...found.gaps)
    cursor = found.nextCursor
    if (cursor === undefined) break
  }
  const oldest = terms.at(-1)
  if (cursor !== undefined && oldest !== undefined) {
    gaps.push({ from: range.from, to: oldest.from, reason: 'there are more changes than are counted' })
  }
  return { terms, gaps }
}
