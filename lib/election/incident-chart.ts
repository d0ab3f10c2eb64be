/**
 * Elections as lanes over the time of an incident: an SVG document that stands alone, on a light ground, for
 * documents and paper. Position and name tell elections apart; colour only leaders within one.
 */
import { instant, msOf } from '../shared/clock.ts'
import { element, svgText } from '../shared/svg.ts'
import { roundStep, tickLabel } from '../shared/time-steps.ts'
import { nameOf } from './incident-entries.ts'
import type { IncidentElection, IncidentSeen, IncidentTerm } from './incident-report.ts'
import { stops } from './stops.ts'
import { raftChanges } from './surroundings.ts'

const WIDTH = 1_040
const LEFT = 190
const RIGHT = WIDTH - 16
const TOP = 52
const LANE = 26
const BAR = 16
const FOOT = 44
const LETTER = 6.4
const LABEL = 70

const INK = '#191d1b'
const QUIET = '#5f665f'
const HAIR = '#dfdace'
const GROUND = '#ffffff'
const CRIT = '#981818'
const LEADERS = ['#3f74c4', '#777804', '#6a2c7c', '#23705f', '#695394', '#b05787']
const FONT = 'Inter, Helvetica, Arial, sans-serif'

const PATTERNS = [
  '<pattern id="gap" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><rect width="7" height="7" fill="#ffffff"/><rect width="1.2" height="7" fill="#9aa09a"/></pattern>',
  '<pattern id="vacancy" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="5" height="5" fill="#f4dcda"/><rect width="1.8" height="5" fill="#981818"/></pattern>',
  '<pattern id="stop" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="9" height="9" fill="#ffffff"/><rect width="4" height="9" fill="#e9b1ab"/></pattern>',
].join('')

interface Scale {
  fromMs: number
  toMs: number
  /** Held inside the lanes. */
  x(ms: number): number
}

interface Period {
  fromMs: number
  toMs: number
}

export function incidentChart(elections: readonly IncidentElection[], seen: IncidentSeen): string {
  const scale = scaleOf(msOf(seen.from), msOf(seen.to))
  const bottom = TOP + Math.max(1, elections.length) * LANE
  const height = bottom + FOOT
  const title = `Elections of ${seen.cluster}, ${seen.from} to ${seen.to}, UTC`
  const content = [
    `<title>${svgText(title)}</title>`,
    `<defs>${PATTERNS}</defs>`,
    element('rect', { width: WIDTH, height, fill: GROUND }),
    text(16, 20, title, { 'font-weight': 600, 'font-size': 13 }),
    axis(scale, bottom),
    quorum(seen, scale, bottom),
    ...elections.map((election, at) => lane(election, TOP + at * LANE, { seen, scale })),
    raft(seen, scale, bottom),
    legend(bottom + 26),
  ].join('')
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: WIDTH,
      height,
      viewBox: `0 0 ${WIDTH} ${height}`,
      'font-family': FONT,
      'font-size': 11,
      role: 'img',
    },
    content,
  )
}

function scaleOf(fromMs: number, toMs: number): Scale {
  const perMs = (RIGHT - LEFT) / Math.max(1, toMs - fromMs)
  return { fromMs, toMs, x: (ms) => Math.max(LEFT, Math.min(RIGHT, LEFT + (ms - fromMs) * perMs)) }
}

function text(x: number, y: number, words: string, more: Readonly<Record<string, string | number>> = {}): string {
  return element('text', { x, y, fill: INK, ...more }, svgText(words))
}

function axis({ fromMs, toMs, x }: Scale, bottom: number): string {
  const step = roundStep(((toMs - fromMs) / (RIGHT - LEFT)) * LABEL)
  const ticks: string[] = []
  for (let ms = Math.ceil(fromMs / step) * step; ms < toMs; ms += step) {
    ticks.push(element('path', { d: `M${x(ms).toFixed(1)} ${TOP - 6}V${bottom}`, stroke: HAIR }))
    ticks.push(text(x(ms), TOP - 11, tickLabel(ms, step), { fill: QUIET, 'text-anchor': 'middle' }))
  }
  return ticks.join('')
}

function box(period: Period, y: number, { scale, fill }: { scale: Scale; fill: string }, height = BAR): string {
  if (period.toMs < scale.fromMs || period.fromMs > scale.toMs) return ''
  const x = scale.x(period.fromMs)
  return element('rect', { x, y, width: Math.max(2, scale.x(period.toMs) - x), height, fill })
}

const endMs = (to: string | null, scale: Scale) => (to === null ? scale.toMs : msOf(to))

function lane(election: IncidentElection, top: number, { seen, scale }: { seen: IncidentSeen; scale: Scale }): string {
  const y = top + (LANE - BAR) / 2
  const madeMs = Math.min(scale.toMs, msOf(seen.madeAt))
  const slots = new Map<string, number>()
  const source = seen.elections.find(({ ref }) => ref === election.ref)
  const own = seen.stops.filter((stop) => stops(stop, election.prefixBase64))
  const period = ({ from, to }: { from: string; to: string | null }) => ({ fromMs: msOf(from), toMs: endMs(to, scale) })
  return [
    element('path', { d: `M${LEFT} ${top + LANE}H${RIGHT}`, stroke: HAIR }),
    text(16, top + LANE / 2 + 4, clipped(election.name, LEFT - 24)),
    ...own.map((stop) => box(period(stop), y, { scale, fill: 'url(#stop)' })),
    ...election.terms.map((term) => segment(term, { y, scale, madeMs, colour: colourOf(term.identity, slots) })),
    ...election.terms.map((term, at) => vacancy(term, election.terms[at + 1], { y, scale, madeMs })),
    ...beforeFirst(election, { y, scale, madeMs }),
    ...[...(source?.gaps ?? []), ...seen.gaps].map((gap) => box(period(gap), y, { scale, fill: 'url(#gap)' })),
    ...election.terms.map((term) => mark(term, top + 4, scale)),
  ].join('')
}

/** Nothing is known of the time before the first term that was ever seen. */
function beforeFirst({ terms, earlierTerms }: IncidentElection, { y, scale, madeMs }: Row): string[] {
  const first = terms[0]
  if (earlierTerms > 0 || (first !== undefined && first.ordinal > 1)) return []
  const period = { fromMs: scale.fromMs, toMs: first === undefined ? madeMs : msOf(first.from) }
  return period.toMs <= scale.fromMs ? [] : [box(period, y, { scale, fill: 'url(#gap)' })]
}

function colourOf(identity: string, slots: Map<string, number>): string {
  const slot = slots.get(identity) ?? slots.size
  slots.set(identity, slot)
  return LEADERS[slot % LEADERS.length] ?? INK
}

function clipped(words: string, room: number): string {
  const letters = Math.floor(room / LETTER)
  return words.length <= letters ? words : `${words.slice(0, Math.max(0, letters - 1))}…`
}

interface Row {
  y: number
  scale: Scale
  /** Nothing is known of later. */
  madeMs: number
}

function segment(term: IncidentTerm, { y, scale, madeMs, colour }: Row & { colour: string }): string {
  const period = { fromMs: msOf(term.from), toMs: term.to === null ? madeMs : msOf(term.to) }
  const x = scale.x(period.fromMs)
  const room = scale.x(period.toMs) - x - 10
  const whole = `#${term.ordinal} ${nameOf(term.identity)}`
  const label = room > 3 * LETTER ? clipped(whole, room) : ''
  const words = label === '' ? '' : text(x + 5, y + 12, label, { fill: GROUND, 'font-weight': 600 })
  return box(period, y, { scale, fill: colour }) + words
}

/** A seat without a leader, as far as both of its ends were seen. Whoever planned it needs no alarm. */
function vacancy(term: IncidentTerm, next: IncidentTerm | undefined, { y, scale, madeMs }: Row): string {
  if (term.to === null || term.kind !== 'failover') return ''
  const fromMs = msOf(term.to)
  const toMs = next === undefined ? madeMs : msOf(next.from)
  return next === undefined || term.vacancyMs !== null ? box({ fromMs, toMs }, y, { scale, fill: 'url(#vacancy)' }) : ''
}

const MARKS = {
  failover: { d: 'M-5-4H5L0 4z', fill: CRIT, stroke: GROUND },
  planned: { d: 'M-4.5-3.5h9L0 3.5z', fill: GROUND, stroke: INK },
  unobserved: { d: 'M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z', fill: GROUND, stroke: QUIET },
} as const

function mark({ to, kind }: IncidentTerm, y: number, { fromMs, toMs, x }: Scale): string {
  if (to === null || kind === null || msOf(to) < fromMs || msOf(to) > toMs) return ''
  return element('path', { ...MARKS[kind], transform: `translate(${x(msOf(to)).toFixed(1)} ${y})` })
}

function quorum({ conditions }: IncidentSeen, scale: Scale, bottom: number): string {
  return conditions
    .filter(({ kind }) => kind === 'no-quorum')
    .map(({ from, to }) => {
      const period = { fromMs: msOf(from), toMs: endMs(to, scale) }
      return box(period, TOP - 4, { scale, fill: '#f4dcda' }, bottom - TOP + 4)
    })
    .join('')
}

function raft({ conditions }: IncidentSeen, { fromMs, toMs, x }: Scale, bottom: number): string {
  return raftChanges(conditions)
    .map(({ to }) => msOf(to))
    .filter((ms) => ms >= fromMs && ms < toMs)
    .map((ms) => {
      const d = `M${x(ms).toFixed(1)} ${TOP - 6}V${bottom}`
      return element('path', { d, stroke: '#1c5a99', 'stroke-dasharray': '2 2.5', 'data-at': instant(ms) })
    })
    .join('')
}

const LEGEND = [
  ['failover', 'failover'],
  ['planned', 'other change'],
  ['unobserved', 'change of unknown cause'],
  ['url(#vacancy)', 'no leader'],
  ['url(#gap)', 'not observed'],
  ['url(#stop)', 'kill switch'],
  ['#f4dcda', 'no quorum'],
  ['raft', 'etcd raft leader change'],
] as const

function legend(y: number): string {
  let x = 22
  return LEGEND.map(([look, words]) => {
    const at = x
    x += 32 + words.length * 6.6
    return swatch(look, at, y) + text(at + 11, y + 4, words, { fill: QUIET })
  }).join('')
}

function swatch(look: (typeof LEGEND)[number][0], x: number, y: number): string {
  if (look === 'raft')
    return element('path', { d: `M${x} ${y - 7}V${y + 7}`, stroke: '#1c5a99', 'stroke-dasharray': '2 2.5' })
  if (look in MARKS) return element('path', { ...MARKS[look as keyof typeof MARKS], transform: `translate(${x} ${y})` })
  return element('rect', { x: x - 6, y: y - 6, width: 12, height: 12, fill: look })
}
