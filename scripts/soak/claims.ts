/** Holds what views showed while they called themselves live against what was true at that moment. */
import type { Claim, Difference, Tolerance, TrueTerm, Truth } from './model.ts'

/** The observer itself may hear of a change a moment after the view. */
const OBSERVER_LAG_MS = 1_000

const time = (ms: number) => new Date(ms).toISOString()

export function lyingClaims(
  truths: readonly Truth[],
  claims: readonly Claim[],
  { lagMs }: Pick<Tolerance, 'lagMs'>,
): Difference[] {
  const byPrefix = new Map(truths.map(({ seat, terms }) => [seat.prefix, terms]))
  const lies: Difference[] = []
  for (const claim of claims) {
    const terms = byPrefix.get(claim.prefix)
    const what = terms === undefined ? 'it shows an election that never was' : wrongIn(claim, terms, lagMs)
    if (what === null) continue
    const message = `the ${claim.source} called itself live and ${what}`
    const near = terms?.filter(
      ({ fromMs, toMs }) => fromMs <= claim.toMs && (toMs ?? claim.toMs) >= claim.fromMs - 15_000,
    )
    lies.push({ kind: 'live lie', prefix: claim.prefix, message, atMs: claim.toMs, detail: { claim, trueTerms: near } })
  }
  return lies
}

function wrongIn(claim: Claim, terms: readonly TrueTerm[], lagMs: number): string | null {
  if (claim.leader === null) return nobodyShown(claim, terms, lagMs)
  const { token, key } = claim.leader
  const term = terms.find((each) => each.token === token && each.key === key)
  if (term === undefined) return `showed a leader that never led: ${key} with token ${token}`
  if (claim.fromMs < term.fromMs - OBSERVER_LAG_MS) {
    return `showed ${token} as leader at ${time(claim.fromMs)}, before its term began at ${time(term.fromMs)}`
  }
  if (term.toMs === null || claim.toMs - term.toMs <= lagMs) return null
  const lateMs = Math.round(claim.toMs - term.toMs)
  return `still showed ${token} as leader at ${time(claim.toMs)}, ${lateMs} ms after its term had ended`
}

function nobodyShown(claim: Claim, terms: readonly TrueTerm[], lagMs: number): string | null {
  const term = terms.find(({ fromMs, toMs }) => {
    const firstLieMs = Math.max(claim.fromMs, fromMs + lagMs)
    return firstLieMs < Math.min(claim.toMs, (toMs ?? Number.POSITIVE_INFINITY) - OBSERVER_LAG_MS)
  })
  return term === undefined
    ? null
    : `showed no leader at ${time(claim.toMs)}, while ${term.token} had led since ${time(term.fromMs)}`
}
