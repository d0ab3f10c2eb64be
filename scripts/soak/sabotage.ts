/** Doctored histories: proof that the comparison would notice. */
import { Gaps } from './gaps.ts'
import type { Claim, Told, ToldTerm } from './model.ts'

export const SABOTAGES = ['late', 'drop', 'invent', 'order', 'cause', 'double', 'stale'] as const
export type Sabotage = (typeof SABOTAGES)[number]

export interface Evidence {
  told: Told[]
  claims: Claim[]
}

/** A term between others that began and ended outside of any gap, so that nothing excuses what is done to it. */
function victimIn(told: readonly Told[]): { of: Told; at: number; term: ToldTerm } {
  const found = told.flatMap((of) => {
    const gaps = new Gaps(of.gaps, 1_500)
    return of.terms.flatMap((term, at) => {
      const isAway = term.toMs !== null && gaps.at(term.fromMs) === null && gaps.at(term.toMs) === null
      return isAway && at > 0 && at < of.terms.length - 1 ? [{ of, at, term }] : []
    })
  })
  const victim = found.find(({ term }) => term.cause === 'resigned or removed') ?? found[Math.floor(found.length / 2)]
  if (victim === undefined) throw new Error('no term to doctor: let the soak run longer')
  return victim
}

/** Changes `evidence` in place. */
export function sabotage(how: Sabotage, { told, claims }: Evidence): void {
  if (how === 'stale') {
    const claim = claims.find(({ leader, toMs }) => leader !== null && claims.some((other) => other.fromMs > toMs))
    if (claim === undefined) throw new Error('no sample to doctor: let the soak run longer')
    claim.toMs += 3_600_000
    return
  }
  const { of, at, term } = victimIn(told)
  if (how === 'late') term.toMs = (term.toMs ?? 0) + 4_000
  if (how === 'drop') of.terms.splice(at, 1)
  if (how === 'invent') of.terms.splice(at, 0, { ...term, token: term.token - 0.5 })
  if (how === 'cause') term.cause = term.cause === 'lease lost' ? 'resigned or removed' : 'expired'
  if (how === 'double') {
    const event = of.events[Math.floor(of.events.length / 2)]
    if (event !== undefined) of.events.push({ ...event })
  }
  if (how === 'order') {
    const next = of.terms[at + 1]
    if (next !== undefined) of.terms.splice(at, 2, next, term)
  }
}
