/** What a record becomes when somebody acts on it. Pure: whoever writes it guards the write by its mod revision. */
import { type Instant, later } from '../shared/clock.ts'
import type { SwitchMatch, SwitchMode, SwitchStep } from './scopes.ts'
import type { SwitchRecord } from './switches.ts'

const MOST_STEPS = 50
export const LONGEST_STOP_MS = 72 * 3_600_000

/** Who does it, when, and why. */
export interface Doing {
  at: Instant
  by: string
  operation: string
  reason: string
}

export interface Engaging {
  until: Instant
  mode: SwitchMode
  match: SwitchMatch
  /** Taken where nothing is engaged yet. */
  nonce: string
}

/** What an operation writes to a record, and who. Of a release with a second person, either of them. */
export interface Done {
  operation: string
  by: string
  what: readonly SwitchStep['what'][]
}

export const ENGAGED: Done['what'] = ['engaged', 'engaged again']

/** Whether this has already been written to the record: an id alone may be somebody else's. */
export function hasDone(record: SwitchRecord | null, { operation, by, what }: Done): boolean {
  return stepsOf(record, operation).some((step) => what.includes(step.what) && personsOf(step).includes(by))
}

/** Its id stands in the record for something else. */
export function isReused(record: SwitchRecord | null, done: Done): boolean {
  return stepsOf(record, done.operation).length > 0 && !hasDone(record, done)
}

/** Whoever it was. */
export function hasEngaged(record: SwitchRecord, operation: string): boolean {
  return stepsOf(record, operation).some(({ what }) => ENGAGED.includes(what))
}

function stepsOf(record: SwitchRecord | null, operation: string): SwitchStep[] {
  if (record === null) return []
  const logged = (record.log ?? []).filter((step) => step.operation === operation)
  return logged.length === 0 && record.operation === operation ? [firstStep(record)] : logged
}

const CONFIRMED = ', confirmed by '
const personsOf = ({ by }: SwitchStep) => [by, ...by.split(CONFIRMED)]

export type Reaching = Pick<Engaging, 'match' | 'mode'>

/** What a stop becomes when it is engaged again; null: it would be more or less than anybody asked for. */
export function combined(standing: Reaching, asked: Reaching): Reaching | null {
  const [wide, narrow] = standing.match === 'prefix' ? [standing, asked] : [asked, standing]
  if (narrow.mode === 'cooperative' || wide.mode === 'enforced') return { match: wide.match, mode: wide.mode }
  // Enforcing what is narrow alone cannot be said together with the wider stop.
  return wide.match === narrow.match ? { match: wide.match, mode: 'enforced' } : null
}

/** What cannot be read counts as this. */
export const UNREADABLE: Reaching = { match: 'prefix', mode: 'cooperative' }
const MOST_REPLACED = 2_000

/** Over a record that cannot be read: it stopped everything below its scope, and goes on doing so. */
export function replacing(raw: string, doing: Doing, engaging: Engaging): SwitchRecord {
  const record = engaged(null, doing, { ...engaging, match: 'prefix' })
  const reason = `${doing.reason} (replaced a record that could not be read)`
  return {
    ...record,
    log: (record.log ?? []).map((step) => ({ ...step, reason })),
    replaced: raw.slice(0, MOST_REPLACED),
  }
}

/**
 * A stop that stands keeps its author, reason, time and nonce: the new one is added to its log. It may only
 * become more of a stop by it: later, wider, enforced. Throws where `combined` says that it cannot.
 */
export function engaged(standing: SwitchRecord | null, doing: Doing, engaging: Engaging): SwitchRecord {
  const { until, mode, match } = engaging
  if (standing?.state !== 'engaged') {
    const log = logged(standing, { ...doing, what: 'engaged', until })
    return { v: 1, state: 'engaged', ...doing, until, nonce: engaging.nonce, match, mode, log }
  }
  const reaching = combined({ match: standing.match, mode: standing.mode ?? 'cooperative' }, { match, mode })
  if (reaching === null) throw new Error('the stop that stands cannot become what is asked for')
  return {
    ...standing,
    ...reaching,
    until: later(until, standing.until),
    log: logged(standing, { ...doing, what: 'engaged again', until }),
  }
}

export function extended(standing: SwitchRecord, doing: Doing, until: Instant): SwitchRecord {
  return {
    ...standing,
    until: later(until, standing.until),
    log: logged(standing, { ...doing, what: 'extended', until }),
  }
}

/** `reason` of the record stays that of the stop. */
export function released(standing: SwitchRecord, doing: Doing, confirmedBy: string | null): SwitchRecord {
  const { at, by, operation, reason } = doing
  const step = { ...doing, by: confirmedBy === null ? by : `${by}${CONFIRMED}${confirmedBy}` }
  return {
    ...standing,
    state: 'released',
    at,
    by,
    operation,
    log: logged(standing, { ...step, what: 'released', until: null }),
    released: { at, by, reason, operation, ...(confirmedBy === null ? {} : { confirmedBy }) },
  }
}

/** The first record of a scope: it stops nobody, and candidates that need one may run. */
export function armed(doing: Doing, match: SwitchMatch, nonce: string): SwitchRecord {
  const log = logged(null, { ...doing, what: 'armed', until: null })
  return { v: 1, state: 'released', ...doing, until: doing.at, nonce, match, log }
}

function logged(standing: SwitchRecord | null, step: SwitchStep): SwitchStep[] {
  const { at, by, operation, what, reason, until } = step
  const before = standing === null ? [] : (standing.log ?? [firstStep(standing)])
  return [...before, { at, by, operation, what, reason, until }].slice(-MOST_STEPS)
}

/** Of a record that was written without a log. */
function firstStep({ at, by, operation, reason, until, state }: SwitchRecord): SwitchStep {
  return { at, by, operation, what: state, reason, until: state === 'engaged' ? until : null }
}
