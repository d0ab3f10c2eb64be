/** The figures of a range beside those of the range before it, in words. */
import { brief, duration } from '../shared/format.ts'
import type { PeriodFigures } from './period.ts'

export interface PeriodRow {
  name: string
  now: string
  before: string
  /** Less than was promised. */
  isShort?: boolean
}

const length = (ms: number) => (ms < 60_000 ? brief(ms) : duration(ms))
const orDash = (ms: number | null) => (ms === null ? '–' : length(ms))

/** 99.98 %: never rounded up to a hundred. */
export function shareWords(share: number | null): string {
  if (share === null) return '–'
  if (share === 1) return '100 %'
  const digits = share >= 0.99 ? 3 : 1
  const floored = Math.floor(share * 100 * 10 ** digits) / 10 ** digits
  return `${floored.toFixed(digits)} %`
}

const ROWS: readonly [string, (of: PeriodFigures) => string][] = [
  ['Led', ({ ledShare }) => shareWords(ledShare)],
  ['Without a leader', ({ leaderlessMs, judgedMs }) => (judgedMs === 0 ? '–' : length(leaderlessMs))],
  ['Without a leader, per day', ({ leaderlessMsPerDay }) => orDash(leaderlessMsPerDay)],
  ['Failovers', ({ failovers }) => String(failovers)],
  ['Between failovers', ({ betweenFailoversMs }) => orDash(betweenFailoversMs)],
  ['Failover, p95', ({ failoverP95Ms }) => orDash(failoverP95Ms)],
  ['Failover, longest', ({ longestFailoverMs }) => orDash(longestFailoverMs)],
  ['Other changes', ({ planned }) => String(planned)],
  ['Changes of unknown cause', ({ unobservedChanges }) => String(unobservedChanges)],
  ['Not observed', ({ unobservedMs }) => length(unobservedMs)],
  ['Stopped', ({ stoppedMs }) => length(stoppedMs)],
]

/** What is nothing in both ranges is left out, but for what everybody asks for. */
const ALWAYS = new Set(['Led', 'Without a leader', 'Failovers', 'Between failovers', 'Failover, p95', 'Other changes'])

/** Before the figures are there: the rows that are never left out, so that nothing moves when they come. */
export const AWAITED_ROWS: readonly PeriodRow[] = ROWS.filter(([name]) => ALWAYS.has(name)).map(([name]) => ({
  name,
  now: '–',
  before: '–',
}))

export function periodRows(current: PeriodFigures, previous: PeriodFigures | null, objective: number): PeriodRow[] {
  return ROWS.flatMap(([name, words]) => {
    const [now, before] = [words(current), previous === null ? '–' : words(previous)]
    const isNothing = [now, before].every((text) => ['0', '0 ms', '–'].includes(text))
    if (isNothing && !ALWAYS.has(name)) return []
    const isShort = name === 'Led' && current.ledShare !== null && current.ledShare * 100 < objective
    return [{ name, now, before, ...(isShort ? { isShort } : {}) }]
  })
}
