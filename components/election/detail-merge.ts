/**
 * One list of terms from two sources: the live state (never late, at most an hour) and history (all of
 * it, fetched now and then). A term is the same where epoch and token are; it only ever becomes more
 * complete, so the fuller of two copies is the newer one and a late answer repaints nothing.
 */
import type { Annotated } from '../../lib/election/annotations.ts'
import { type TermShape, termShapes } from '../../lib/election/describe.ts'
import { type Stop, stops } from '../../lib/election/stops.ts'
import { isPending } from '../../lib/election/terms.ts'
import type { ElectionState, Gap, Term } from '../../lib/election/types.ts'
import { compareDecimal } from '../../lib/shared/decimal.ts'

export const termKey = (term: Pick<Term, 'epoch' | 'token'>) => `${term.epoch}:${term.token}`

function completeness(term: Term): number {
  if (term.to === null) return term.takeoverMs === null ? 0 : 1
  if (term.endedBy === null || isPending(term.endedBy)) return 2
  return 3
}

function compareTerms(a: Term, b: Term): number {
  return a.epoch - b.epoch || compareDecimal(a.token, b.token)
}

/** Only history knows what people said. */
function saidOf(known: TermShape | undefined): Partial<Annotated> {
  if (known?.noteVersions === undefined) return {}
  const { note, noteVersion, noteVersions, acknowledged } = known
  return { note, noteVersion, noteVersions, acknowledged } as Annotated
}

/** Newest first. A term that history still calls open, though a later one is known, is left out until its end is. */
export function mergeTerms(state: Pick<ElectionState, 'ended' | 'term'>, past: readonly TermShape[]): TermShape[] {
  const byKey = new Map<string, TermShape>(past.map((term) => [termKey(term), term]))
  for (const term of [...state.ended, ...(state.term === null ? [] : [state.term])]) {
    const known = byKey.get(termKey(term))
    if (known === undefined || completeness(term) >= completeness(known))
      byKey.set(termKey(term), { ...saidOf(known), ...term })
  }
  const sorted = [...byKey.values()].sort((a, b) => compareTerms(b, a))
  const leaderless = state.term === null
  const known = sorted.filter((term, at) => term.to !== null || (at === 0 && !leaderless))
  return withAnatomy(known)
}

/** Anatomy belongs to two neighbouring terms: where the one before is not known, none is made up. */
function withAnatomy(terms: readonly TermShape[]): TermShape[] {
  return terms.map((term, at) => {
    const previous = terms[at + 1]
    if (previous === undefined || previous.ordinal !== term.ordinal - 1) return term
    return termShapes([term, previous])[0] ?? term
  })
}

/** Oldest first; the same gap from both sources once, overlapping ones as they were recorded. */
export function mergeGaps(live: readonly Gap[], past: readonly Gap[]): Gap[] {
  const byStart = new Map<string, Gap>()
  for (const gap of [...past, ...live]) {
    const known = byStart.get(gap.from)
    if (known === undefined || gap.to > known.to) byStart.set(gap.from, gap)
  }
  return [...byStart.values()].sort((a, b) => (a.from < b.from ? -1 : 1))
}

/** Stops of this election, oldest first; of a stop that both sources know, the live one is newer. */
export function mergeStops(live: readonly Stop[], past: readonly Stop[], prefixBase64: string): Stop[] {
  const own = [...past, ...live].filter((stop) => stops(stop, prefixBase64))
  const byStart = new Map(own.map((stop) => [`${stop.scopeBase64} ${stop.nonce} ${stop.from}`, stop]))
  return [...byStart.values()].sort((a, b) => (a.from < b.from ? -1 : 1))
}
