/** What a mark of the timeline says. */
import { type Instant, instant, msOf } from '../../lib/shared/clock.ts'
import { brief, count, duration, timeOfDay } from '../../lib/shared/format.ts'
import type { FailoverSummaryShape } from '../live/failovers.ts'
import { causeWords, momentWords } from './failover-words.ts'
import { type Item, isMassMark, type Mass, type Point } from './timeline-model.ts'

type Elections = FailoverSummaryShape['elections']

export interface ItemWords {
  when: string
  what: string
  rest: string
}

export function itemWords(item: Item, elections: Elections, now: Instant): ItemWords {
  if (isMassMark(item)) return massItemWords(item.masses, now)
  const { point } = item
  const { title } = causeWords(point.cause, point.kind)
  const when = momentWords(point.at, now)
  if (point.count > 1) {
    const until = point.to === undefined ? '' : ` to ${timeOfDay(point.to)}`
    return {
      when: `${when}${until}`,
      what: `${count(point.count, 'change')} of leader`,
      rest: `${title}, ${spread(point)}`,
    }
  }
  const name = elections[point.election ?? -1]?.name ?? 'an election'
  const time = point.open ? `${duration(msOf(now) - msOf(point.at))} so far` : spread(point)
  return { when, what: name, rest: `${title}, ${time}` }
}

function massItemWords(masses: readonly Mass[], now: Instant): ItemWords {
  const [first] = masses
  if (first === undefined) return { when: '', what: '', rest: '' }
  const when = momentWords(first.from, now)
  if (masses.length === 1) return { when, what: first.words, rest: massTime(first) }
  const elections = masses.reduce((sum, mass) => sum + mass.elections, 0)
  return { when, what: `${count(masses.length, 'mass event')}, ${elections} elections`, rest: first.words }
}

/** "11.1 s to 13.2 s each, 1 has not ended" */
export function massTime({ leastMs, mostMs, open }: Mass): string {
  const times = leastMs === null || mostMs === null ? 'not timed' : `${between(leastMs, mostMs)} each`
  return open === 0 ? times : `${times}, ${open} ${open === 1 ? 'has' : 'have'} not ended`
}

const between = (least: number, most: number) =>
  brief(least) === brief(most) ? brief(least) : `${brief(least)} to ${brief(most)}`

function spread({ leastMs, mostMs }: Point): string {
  return leastMs === null || mostMs === null ? 'time not known' : between(leastMs, mostMs)
}

/** The rows of the timeline as a table. */
export function pointRows({ points, masses, elections }: FailoverSummaryShape): string[][] {
  const head = ['from', 'to', 'election', 'cause', 'kind', 'changes', 'least ms', 'most ms', 'ended']
  const number = (ms: number | null) => (ms === null ? '' : String(ms))
  const rows = points.map((point) => [
    point.at,
    point.to ?? point.at,
    elections[point.election ?? -1]?.name ?? '',
    point.cause,
    point.kind,
    String(point.count),
    number(point.leastMs),
    number(point.mostMs),
    point.open ? 'no' : 'yes',
  ])
  const events = masses.events.map((mass) => [
    mass.from,
    mass.to,
    `${mass.elections} elections`,
    'mass event',
    'failover',
    String(mass.failovers),
    number(mass.leastMs),
    number(mass.mostMs),
    mass.open === 0 ? 'yes' : `${mass.open} not`,
  ])
  return [head, ...[...rows, ...events].sort((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1))]
}

export function timelineSummary(
  { totals, masses }: FailoverSummaryShape,
  span: { fromMs: number; toMs: number },
): string {
  const changes = totals.failovers + totals.planned + totals.unobserved
  const events = masses.count === 0 ? '' : `, ${count(masses.count, 'mass event')}`
  const from = instant(span.fromMs).slice(0, 16).replace('T', ' ')
  return `${count(changes, 'change')} of leader since ${from} UTC: ${count(totals.failovers, 'failover')}, ${totals.planned} planned, ${totals.unobserved} unobserved${events}.`
}
