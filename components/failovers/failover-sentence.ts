/** Whether it is all right, in one sentence. */
import type { Instant } from '../../lib/shared/clock.ts'
import { count, day, hourAndMinute, seconds } from '../../lib/shared/format.ts'
import type { FailoverSummaryShape } from '../live/failovers.ts'

export interface SentencePart {
  text: string
  tone?: 'strong' | 'warn'
}

type Told = Pick<
  FailoverSummaryShape,
  'totals' | 'quantiles' | 'masses' | 'objective' | 'from' | 'to' | 'observedSince'
>

/** `within`: "24 h" or "7 d up to Thu 12 Mar"; `filtered`: only a part is told. */
export function failoverSentence(told: Told, within: string, filtered: boolean): SentencePart[] {
  const { totals, observedSince, from, to } = told
  if (observedSince === null || observedSince >= to) {
    const since =
      observedSince === null ? 'Nothing is on record yet' : `Tenure began to watch at ${moment(observedSince)}`
    return [{ text: `Not observed: ${within}.`, tone: 'strong' }, { text: ` ${since}.` }]
  }
  const unseen = observedSince > from ? [{ text: ` Not observed before ${moment(observedSince)}.` }] : []
  const which = filtered ? ' that match' : ''
  if (totals.failovers === 0) {
    const others = totals.planned + totals.unobserved
    const rest = others === 0 ? 'No leader changed otherwise.' : otherWords(totals)
    return [
      { text: `No failover${filtered ? ' that matches' : ''} in ${within}.`, tone: 'strong' },
      { text: ` ${rest}` },
      ...unseen,
    ]
  }
  const lead = `${count(totals.failovers, 'failover')}${which} in ${within}${massWords(told.masses)}.`
  return [{ text: lead, tone: 'strong' }, ...timeParts(told), ...openParts(totals.open), ...unseen]
}

const moment = (at: Instant) => `${hourAndMinute(at)} UTC, ${day(at)}`

function otherWords({ planned, unobserved }: Told['totals']): string {
  const told = [
    ...(planned > 0 ? [`${count(planned, 'other change')} of leader`] : []),
    ...(unobserved > 0 ? [`${count(unobserved, 'unobserved one')}`] : []),
  ]
  return `${told.join(', ')}.`
}

function massWords({ count: events, failovers }: Told['masses']): string {
  if (events === 0) return ''
  return `, ${failovers.toLocaleString('en-US')} of them ${events === 1 ? 'one event' : `in ${events} events`}`
}

function timeParts({ quantiles, objective }: Told): SentencePart[] {
  const { measured, p50Ms, p95Ms, withinObjective } = quantiles
  if (p50Ms === null || p95Ms === null) return [{ text: ' None could be timed.' }]
  const within = `${objective.withinMs / 1_000} s objective`
  const isKept = withinObjective >= measured * (objective.percent / 100)
  const times = ` p50 ${seconds(p50Ms)}; p95 ${seconds(p95Ms)}, `
  if (isKept) return [{ text: `${times}within the ${within}.` }]
  const over =
    objective.percent === 95
      ? `${seconds(p95Ms - objective.withinMs)} over the ${within}`
      : `${Math.floor((withinObjective / measured) * 100)} % within the ${within} of ${objective.percent} %`
  return [{ text: times }, { text: over, tone: 'warn' }, { text: '.' }]
}

function openParts(open: number): SentencePart[] {
  return open === 0 ? [] : [{ text: ` ${open.toLocaleString('en-US')} ${open === 1 ? 'has' : 'have'} not ended.` }]
}
