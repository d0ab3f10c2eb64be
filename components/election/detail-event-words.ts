/** Recent events in words. One line says one thing that happened, as far as it was seen. */
import type { Fact } from '../../lib/election/changes.ts'
import { isFailover } from '../../lib/election/terms.ts'
import type { Layout, Term } from '../../lib/election/types.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { groupDigits } from '../../lib/shared/decimal.ts'
import { brief, timeOfDay } from '../../lib/shared/format.ts'
import { identityText } from './detail-identity.ts'

export interface EventLine {
  id: string
  at: Instant
  text: string
  /** Why, where there is evidence. */
  detail?: string
  tone: 'quiet' | 'change' | 'crit' | 'unobserved'
}

type Of<T extends Fact['type']> = Extract<Fact, { type: T }>

const quoted = (identity: string) => identityText(identity)

function proclaimed(fact: Of<'proclaimed'>, moved: Of<'lease-changed'> | undefined, layout: Layout): string {
  const same = fact.was === fact.identity
  const value =
    layout === 'single-key'
      ? same
        ? `value written again by ${quoted(fact.identity)}`
        : `value changed ${quoted(fact.was)} → ${quoted(fact.identity)}`
      : same
        ? `${quoted(fact.identity)} proclaimed the same value again`
        : `proclaimed ${quoted(fact.was)} → ${quoted(fact.identity)}`
  return moved === undefined ? value : `${value} and ${leaseChange(moved)}`
}

function leaseChange({ was, lease }: Of<'lease-changed'>): string {
  if (lease === null) return 'lease detached'
  return was === null ? `lease ${lease} attached` : `lease changed ${was} → ${lease}`
}

function ended({ term }: Of<'term-ended' | 'term-explained'>): Omit<EventLine, 'id' | 'at'> {
  const { cause, by, evidence } = term.endedBy ?? { cause: 'unobserved' }
  const tone = isFailover(term.endedBy) ? 'crit' : 'change'
  const why = by === undefined ? cause : `${cause} by ${by}`
  const text = `${quoted(term.leader.identity)} lost the lead: #${term.ordinal} ended, ${why}`
  return { text, tone, ...(evidence === undefined ? {} : { detail: evidence }) }
}

function started({ term }: Of<'term-started'>): string {
  if (term.fromAtLeast)
    return `found ${quoted(term.leader.identity)} leading: #${term.ordinal}, token ${groupDigits(term.token)}`
  const after = term.gapMs === null ? '' : `, ${brief(term.gapMs)} after the one before`
  return `${quoted(term.leader.identity)} leads: #${term.ordinal}, token ${groupDigits(term.token)}${after}`
}

function line(fact: Fact, together: readonly Fact[], layout: Layout): Omit<EventLine, 'id' | 'at'> | null {
  switch (fact.type) {
    case 'candidate-joined':
      return { text: `${quoted(fact.identity)} joined the queue`, tone: 'quiet' }
    case 'candidate-left':
      return { text: `${quoted(fact.identity)} left the queue`, tone: 'quiet' }
    case 'term-started':
      return { text: started(fact), tone: 'change' }
    case 'term-ended':
    case 'term-explained':
      return ended(fact)
    case 'proclaimed': {
      const moved = together.find((other): other is Of<'lease-changed'> => other.type === 'lease-changed')
      return {
        text: proclaimed(fact, moved, layout),
        tone: moved?.lease === null ? 'crit' : fact.was === fact.identity ? 'quiet' : 'change',
      }
    }
    case 'lease-changed': {
      const told = together.some((other) => other.type === 'proclaimed' && other.identity === fact.identity)
      return told ? null : { text: `${quoted(fact.identity)}: ${leaseChange(fact)}`, tone: 'change' }
    }
    case 'blocked':
      return { text: `blocked by older key ${fact.key} of a nested election`, tone: 'crit' }
    case 'gap': {
      const span = `${timeOfDay(fact.gap.from)}–${timeOfDay(fact.gap.to)}`
      const found = fact.changed ? 'at least one change' : 'the term did not change'
      return { text: `unobserved ${span}, ${found}`, detail: fact.gap.reason, tone: 'unobserved' }
    }
  }
}

const sameKey = (fact: Fact, keyBase64: string) => 'term' in fact && fact.term.leader.keyBase64 === keyBase64

/** What another line says as well: a leader that left lost the lead, one that joined and leads leads. */
function isTold(fact: Fact, together: readonly Fact[]): boolean {
  if (fact.type === 'candidate-left') {
    return together.some((other) => other.type === 'term-ended' && sameKey(other, fact.keyBase64))
  }
  if (fact.type === 'candidate-joined') {
    return together.some((other) => other.type === 'term-started' && sameKey(other, fact.keyBase64))
  }
  return false
}

/** The end of a term is told once, with the cause as it was established later. */
function explained(facts: readonly Fact[]): Fact[] {
  const causes = new Map<number, Term>()
  for (const fact of facts) if (fact.type === 'term-explained') causes.set(fact.term.ordinal, fact.term)
  const ends = new Set(facts.flatMap((fact) => (fact.type === 'term-ended' ? [fact.term.ordinal] : [])))
  return facts.flatMap((fact): Fact[] => {
    if (fact.type === 'term-explained') return ends.has(fact.term.ordinal) ? [] : [fact]
    if (fact.type !== 'term-ended') return [fact]
    return [{ ...fact, term: causes.get(fact.term.ordinal) ?? fact.term }]
  })
}

/** `facts` in any order; lines newest first. */
export function eventLines(facts: readonly Fact[], layout: Layout): EventLine[] {
  const byRevision = Map.groupBy(facts, (fact) => fact.revision)
  const lines = explained(facts).flatMap((fact, at) => {
    const together = byRevision.get(fact.revision) ?? []
    const words = isTold(fact, together) ? null : line(fact, together, layout)
    return words === null ? [] : [{ id: `${fact.revision}:${fact.type}:${at}`, at: fact.at, ...words }]
  })
  return lines.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
}
