/** Of what history answers, what had come to pass at the moment that is shown. `null` is the present. */
import type { TermShape } from '../../lib/election/describe.ts'
import type { Gap } from '../../lib/election/types.ts'
import { type Instant, instant, msOf } from '../../lib/shared/clock.ts'

/** For queries whose `to` is exclusive. */
export function upTo(at: Instant | null): { to?: Instant } {
  return at === null ? {} : { to: instant(msOf(at) + 1) }
}

/** A term that went on had no end yet: the state of the moment has it whole. */
export function termsAt(terms: readonly TermShape[], at: Instant | null): readonly TermShape[] {
  return at === null ? terms : terms.filter(({ to }) => to !== null && to <= at)
}

export function gapAt(gap: Gap, at: Instant | null): Gap[] {
  if (at === null || gap.to <= at) return [gap]
  return gap.from > at ? [] : [{ ...gap, to: at }]
}
