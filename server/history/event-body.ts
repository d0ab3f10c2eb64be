/**
 * What of a fact is stored beside its time, revision and type. A term's key and lease are in its own row, and
 * what is not known yet needs no room: a month of changes has a million events.
 */
import type { Fact } from '../../lib/election/changes.ts'
import type { Leader, Term } from '../../lib/election/types.ts'

/** Of a term that just began. */
const UNTIL_KNOWN = {
  fromAtLeast: false,
  gapMs: null,
  takeoverMs: null,
  silentMs: null,
  endedBy: null,
} as const satisfies Partial<Term>

type StoredTerm = Pick<Term, 'epoch' | 'token'> & Partial<Term> & { identity?: string }

/** Mostly the time of the fact itself: a beginning's `from`, an end's `to`. */
const usual = ({ type, at }: Pick<Fact, 'type' | 'at'>) =>
  type === 'term-started' ? { ...UNTIL_KNOWN, from: at, to: null } : { ...UNTIL_KNOWN, to: at }

function stored(term: Term, expected: Partial<Term>): StoredTerm {
  const { leader, ...rest } = term
  const known = Object.entries(rest).filter(([name, value]) => value !== expected[name as keyof Term])
  return { ...(Object.fromEntries(known) as unknown as StoredTerm), identity: leader.identity }
}

export function bodyOf(fact: Fact): string {
  const { at: _, revision: __, type: ___, ...body } = fact
  return JSON.stringify('term' in body ? { ...body, term: stored(body.term, usual(fact)) } : body)
}

/** Which term's row tells the rest of a stored body; null when it is whole. */
export function termIn(body: object): Pick<Term, 'epoch' | 'token'> | null {
  const { term } = body as { term?: StoredTerm }
  return term === undefined || term.leader !== undefined ? null : term
}

/** `leader` as its term's row has it; null when that is gone. */
export function wholeFact(fact: Pick<Fact, 'type' | 'at' | 'revision'>, body: object, leader: Leader | null): Fact {
  const { term, ...rest } = body as { term?: StoredTerm }
  if (term === undefined || term.leader !== undefined) return { ...fact, ...body } as Fact
  const { identity = '', ...known } = term
  const { key, keyBase64, lease } = leader ?? { key: '', keyBase64: '', lease: null }
  return { ...fact, ...rest, term: { ...usual(fact), ...known, leader: { identity, key, keyBase64, lease } } } as Fact
}
