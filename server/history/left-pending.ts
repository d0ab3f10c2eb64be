/** What an earlier run left to be looked up: read later, it must not sound as if somebody still would. */
import type { Moment } from '../../lib/election/moments.ts'
import { isPending, NEVER_LOOKED_UP } from '../../lib/election/terms.ts'
import type { Term } from '../../lib/election/types.ts'
import { msOf } from '../../lib/shared/clock.ts'
import type { EventPage, EventRow, Past, TermPage, TransitionPage } from './history.ts'

/** `begunMs`: when this run began; what it saw itself is being looked up. */
function settledTerm(term: Term, begunMs: number): Term {
  const left = isPending(term.endedBy) && term.to !== null && msOf(term.to) < begunMs
  return left ? { ...term, endedBy: NEVER_LOOKED_UP } : term
}

export function settledTerms(page: TermPage, begunMs: number): TermPage {
  const { terms, previous } = page
  return {
    ...page,
    terms: terms.map((term) => settledTerm(term, begunMs)),
    previous: previous === null ? null : settledTerm(previous, begunMs),
  }
}

export function settledEvents(page: EventPage, begunMs: number): EventPage {
  return { ...page, events: page.events.map((row) => settledRow(row, begunMs)) }
}

export function settledPast(past: Past, begunMs: number): Past {
  const elections = past.elections.map((state) => ({
    ...state,
    ended: state.ended.map((term) => settledTerm(term, begunMs)),
  }))
  return { ...past, elections }
}

export function settledMoment(moment: Moment | null, begunMs: number): Moment | null {
  const settled = moment?.changes.map((each) =>
    each.type === 'election' ? { ...each, event: settledRow(each.event, begunMs) } : each,
  )
  return moment === null || settled === undefined ? null : { ...moment, changes: settled }
}

function settledRow(row: EventRow, begunMs: number): EventRow {
  return 'term' in row ? { ...row, term: settledTerm(row.term, begunMs) } : row
}

export function settledRows(page: TransitionPage, begunMs: number): TransitionPage {
  return { ...page, rows: page.rows.map((row) => ({ ...row, term: settledTerm(row.term, begunMs) })) }
}
