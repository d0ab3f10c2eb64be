/** Verbs, results and subjects of the audit log in words. Pure. */
import { type Instant, msOf } from '../../lib/shared/clock.ts'
import { count, day, duration, timeOfDay } from '../../lib/shared/format.ts'
import type { AuditEntryShape } from '../live/audit.ts'

export type ShownResult = Exclude<AuditEntryShape['result'], null> | 'note'

export const RESULT_WORDS: Readonly<Record<ShownResult, string>> = {
  verified: 'Verified',
  failed: 'Failed',
  unknown: 'Unknown',
  refused: 'Refused',
  done: 'Done',
  open: 'No outcome yet',
  note: 'Note',
}

export const resultOf = ({ result }: Pick<AuditEntryShape, 'result'>): ShownResult => result ?? 'note'

export const KIND_WORDS: Readonly<Record<AuditEntryShape['kind'], string>> = {
  intent: 'Meant',
  outcome: 'Came of it',
  refusal: 'Refused',
  note: 'Noted',
  done: 'Done',
}

/** What it was about, where that is no election with a page of its own. */
export function subjectWords({ subject, asked }: Pick<AuditEntryShape, 'subject' | 'asked'>): string {
  if (subject.person !== undefined) return subject.person.name
  if (subject.name !== undefined) return subject.name
  if (subject.scope !== undefined) return subject.scope === '' ? 'everything' : subject.scope
  const { token, name } = (typeof asked === 'object' && asked !== null ? asked : {}) as Record<string, unknown>
  const named = token ?? name
  return typeof named === 'string' ? named : ''
}

/** What is known of how it ended, in a sentence. */
export const wordsOf = ({ outcome, words }: Pick<AuditEntryShape, 'outcome' | 'words'>) => outcome?.words ?? words ?? ''

/** Today by its time, earlier by its day as well. */
export function momentWords(at: Instant, now: Instant): string {
  return at.slice(0, 10) === now.slice(0, 10) ? timeOfDay(at) : `${day(at)} ${timeOfDay(at)}`
}

export interface Summary {
  actions: number
  refused: number
  newest: Instant | null
}

/** Bold first, then the rest. */
export function sentenceOf({ actions, refused, newest }: Summary, now: Instant): [string, string] {
  if (newest === null) return ['Nothing was recorded yet.', 'Whatever anybody does here will be, for good.']
  const lead = `${actions === 0 ? 'No action' : count(actions, 'action')} in the last 24 h`
  const refusals = refused === 0 ? 'nothing refused' : `${count(refused, 'refusal')}`
  const age = msOf(now) - msOf(newest)
  return [`${lead}, ${refusals}.`, `The newest entry is ${duration(age)} old.`]
}
