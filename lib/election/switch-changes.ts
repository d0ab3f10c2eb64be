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

/** Whether this operation has already written to the record. */
export function hasDone(record: SwitchRecord | null, operation: string): boolean {
  if (record === null) return false
  return record.operation === operation || (record.log ?? []).some((step) => step.operation === operation)
}

/**
 * A stop that stands keeps its author, reason, time and nonce: the new one is added to its log. It may only
 * become more of a stop by it: later, wider, enforced.
 */
export function engaged(standing: SwitchRecord | null, doing: Doing, engaging: Engaging): SwitchRecord {
  const { until, mode, match } = engaging
  if (standing?.state !== 'engaged') {
    const log = logged(standing, { ...doing, what: 'engaged', until })
    return { v: 1, state: 'engaged', ...doing, until, nonce: engaging.nonce, match, mode, log }
  }
  return {
    ...standing,
    until: later(until, standing.until),
    match: standing.match === 'exact' ? match : standing.match,
    mode: standing.mode === 'enforced' ? standing.mode : mode,
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
  const step = { ...doing, by: confirmedBy === null ? by : `${by}, confirmed by ${confirmedBy}` }
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
