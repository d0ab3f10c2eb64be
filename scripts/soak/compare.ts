/** Holds what Tenure told against what was true. Pure; every difference is a lie or a loss. */
import { Deeds, mayBeTold } from './causes.ts'
import { Gaps } from './gaps.ts'
import type { Deed, Difference, Told, ToldEvent, ToldTerm, Tolerance, TrueTerm, Truth } from './model.ts'

export interface Counts {
  trueTerms: number
  /** Matched within the tolerance. */
  exact: number
  /** Matched, with a beginning or an end that lies in a declared gap. */
  edge: number
  /** Not in Tenure's history, and all of it in a declared gap. */
  unseen: number
  trueEvents: number
  eventsTold: number
  /** Ends whose cause the harness can judge, and of them those that Tenure named. */
  judged: number
  named: number
}

export interface Comparison {
  counts: Counts
  differences: Difference[]
}

const NOTHING: Counts = {
  trueTerms: 0,
  exact: 0,
  edge: 0,
  unseen: 0,
  trueEvents: 0,
  eventsTold: 0,
  judged: 0,
  named: 0,
}

const keyOf = ({ layout, prefix }: Truth['seat']) => `${layout} ${prefix}`
const time = (ms: number | null) => (ms === null ? 'still open' : new Date(ms).toISOString())

export interface Evidence {
  truths: readonly Truth[]
  told: readonly Told[]
  deeds: readonly Deed[]
}

export function compare({ truths, told, deeds }: Evidence, tolerance: Tolerance): Comparison {
  const known = new Deeds(deeds)
  const differences: Difference[] = []
  const counts = { ...NOTHING }
  const bySeat = new Map(told.map((each) => [keyOf(each.seat), each]))
  for (const truth of truths) {
    const each = bySeat.get(keyOf(truth.seat)) ?? { seat: truth.seat, terms: [], events: [], gaps: [] }
    bySeat.delete(keyOf(truth.seat))
    differences.push(...new Judge(truth, each, { known, tolerance, counts }).all())
  }
  for (const { seat, terms } of bySeat.values()) {
    const message = `Tenure lists an election that never was: ${keyOf(seat)}`
    differences.push({ kind: 'invented election', prefix: seat.prefix, message, atMs: 0, detail: { terms } })
  }
  return { counts, differences: differences.sort((a, b) => a.atMs - b.atMs) }
}

interface Context {
  known: Deeds
  tolerance: Tolerance
  counts: Counts
}

/** Of one election. */
class Judge {
  private readonly truth: Truth
  private readonly told: Told
  private readonly context: Context
  private readonly gaps: Gaps
  private readonly found: Difference[] = []

  constructor(truth: Truth, told: Told, context: Context) {
    this.truth = truth
    this.told = told
    this.context = context
    this.gaps = new Gaps(told.gaps, context.tolerance.gapSlackMs)
  }

  all(): Difference[] {
    this.order()
    this.terms()
    this.events()
    return this.found
  }

  private differ(kind: string, atMs: number, message: string, detail: object): void {
    const gaps = this.gaps.near(atMs).map(({ fromMs, toMs, reason }) => `${time(fromMs)} – ${time(toMs)} ${reason}`)
    this.found.push({ kind, prefix: this.truth.seat.prefix, message, atMs, detail: { ...detail, gapsWidened: gaps } })
  }

  private order(): void {
    for (const [at, term] of this.told.terms.entries()) {
      const before = this.told.terms[at - 1]
      if (term.epoch !== 0) this.differ('epoch', term.fromMs, `#${term.ordinal} is in epoch ${term.epoch}`, { term })
      if (term.toMs !== null && term.toMs < term.fromMs) {
        this.differ('wrong order', term.fromMs, `#${term.ordinal} ends before it begins`, { term })
      }
      if (before === undefined) continue
      const isAfter = term.token > before.token && term.ordinal === before.ordinal + 1
      const overlaps = before.toMs === null || before.toMs > term.fromMs
      if (isAfter && !overlaps) continue
      const how = overlaps ? 'begins before the one before it ends' : 'does not follow the one before it'
      this.differ('wrong order', term.fromMs, `#${term.ordinal} ${how}`, { before, term })
    }
  }

  private terms(): void {
    const { counts } = this.context
    const byToken = new Map(this.told.terms.map((term) => [term.token, term]))
    for (const term of this.truth.terms) {
      counts.trueTerms += 1
      const told = byToken.get(term.token)
      byToken.delete(term.token)
      if (told !== undefined) this.matched(term, told)
      else if (term.toMs !== null && this.gaps.holds(term.fromMs, term.toMs)) counts.unseen += 1
      else {
        const span = `${time(term.fromMs)} – ${time(term.toMs)}`
        this.differ('missing term', term.fromMs, `the term with token ${term.token} (${span}) is in no gap`, { term })
      }
    }
    for (const term of byToken.values()) {
      this.differ('invented term', term.fromMs, `no term ever had the token ${term.token}`, { term })
    }
  }

  private matched(term: TrueTerm, told: ToldTerm): void {
    const { tolerance, counts } = this.context
    const both = { true: term, told }
    if (told.key !== term.key) this.differ('wrong key', term.fromMs, `token ${term.token} has another key`, both)
    if ((told.toMs === null) !== (term.toMs === null)) {
      const what = told.toMs === null ? 'ended and is told as open' : 'goes on and is told as ended'
      this.differ('wrong end', term.toMs ?? told.toMs ?? term.fromMs, `the term with token ${term.token} ${what}`, both)
      return
    }
    const isClose = (a: number, b: number) => Math.abs(a - b) <= tolerance.timeMs
    const edges = [['begins', term.fromMs, told.fromMs] as const]
    if (term.toMs !== null && told.toMs !== null) edges.push(['ends', term.toMs, told.toMs] as const as never)
    let exact = true
    for (const [what, trueMs, toldMs] of edges) {
      if (isClose(trueMs, toldMs)) continue
      exact = false
      if (this.explains(trueMs, toldMs)) continue
      const message = `the term with token ${term.token} ${what} at ${time(trueMs)}, told is ${time(toldMs)}`
      this.differ('wrong time', trueMs, message, both)
    }
    counts[exact ? 'exact' : 'edge'] += 1
    this.cause(term, told)
  }

  /** One gap has the true moment in it, and the told one is in it or right behind it. */
  private explains(trueMs: number, toldMs: number): boolean {
    const gap = this.gaps.at(trueMs)
    return gap !== null && gap.fromMs <= toldMs && toldMs <= gap.toMs + this.context.tolerance.timeMs
  }

  private cause(term: TrueTerm, told: ToldTerm): void {
    if (term.toMs === null) return
    const { known, tolerance, counts } = this.context
    const end = known.endOf(term, tolerance.lagMs)
    const cause = told.cause ?? 'none'
    if (end !== 'unknown' && end !== 'either') {
      counts.judged += 1
      if (cause !== 'unobserved') counts.named += 1
    }
    if (mayBeTold(end, cause)) return
    const message = `the term with token ${term.token} ended as "${end}", told is "${cause}"`
    this.differ('wrong cause', term.toMs, message, { true: term, told, end })
  }

  private events(): void {
    const { counts } = this.context
    const idOf = (type: string, revision: number, key: string | null) =>
      type === 'proclaimed' ? `${type} ${revision}` : `${type} ${revision} ${key}`
    const wanted = new Map(this.truth.events.map((event) => [idOf(event.type, event.revision, event.key), event]))
    const seen = new Set<string>()
    const told = new Set<string>()
    for (const event of this.told.events) {
      const isOfKey = /^(candidate-joined|candidate-left|proclaimed)$/.test(event.type)
      if (!isOfKey && !/^term-(started|ended)$/.test(event.type)) continue
      if (isOfKey) counts.eventsTold += 1
      const id = isOfKey ? idOf(event.type, event.revision, event.key) : `${event.type} of ${event.token}`
      // A listing after a gap finds several proclaims at its own revision, each of another candidate.
      const once = event.type === 'proclaimed' ? `${id} ${event.identity ?? ''}` : id
      if (told.has(once)) this.differ('doubled event', event.atMs, `told twice: ${once}`, { event })
      told.add(once)
      seen.add(id)
      if (isOfKey && !wanted.has(id)) this.unmatched(event, id)
    }
    for (const [id, event] of wanted) {
      counts.trueEvents += 1
      if (seen.has(id) || this.gaps.at(event.atMs) !== null) continue
      this.differ('lost event', event.atMs, `not told and in no gap: ${id}`, { event })
    }
  }

  /** A listing reports what it found changed at its own revision, at the end of a gap. */
  private unmatched(event: ToldEvent, id: string): void {
    const { timeMs } = this.context.tolerance
    if (this.gaps.spans.some(({ fromMs, toMs }) => fromMs <= event.atMs && event.atMs <= toMs + timeMs)) return
    this.differ('invented event', event.atMs, `told and never happened: ${id}`, { event })
  }
}
