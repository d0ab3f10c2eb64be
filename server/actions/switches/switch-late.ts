/**
 * What was told as not executed and stands in a record after all: a write that was held up for longer than
 * anything is waited for. An outcome is final, so that it is corrected loudly beside it.
 */
import type { StandingSwitch, SwitchStep } from '../../../lib/election/scopes.ts'
import type { AuditEntry } from '../../history/audit.ts'
import type { ActionParts } from '../parts.ts'
import type { Reach } from '../reach.ts'
import { momentWords } from './switch-words.ts'

const AFTER_ALL: Readonly<Record<SwitchStep['what'], string>> = {
  engaged: 'engaged',
  'engaged again': 'engaged',
  extended: 'extended',
  released: 'released',
  armed: 'armed',
}
const VERBS: Readonly<Record<SwitchStep['what'], readonly string[]>> = {
  engaged: ['engage'],
  'engaged again': ['engage'],
  extended: ['extend'],
  released: ['release', 'confirmRelease'],
  armed: ['arm'],
}

export type CorrectionParts = Pick<ActionParts, 'audit' | 'recorder' | 'operations'>

/** Adds what stands to what was told as failed; false while its outcome is not final. Throws with the audit log. */
export function correct({ audit, recorder, operations }: CorrectionParts, step: SwitchStep): boolean {
  const { operation, what } = step
  const audited = audit.operation(operation)
  const intent = audited?.intent
  if (!intent) return true
  const told = operations.get(operation)?.outcome ?? audited.outcomes.at(-1)?.outcome
  if (!told || told.is === 'unknown') return false
  if (told.is === 'verified' || !VERBS[what].includes(intent.verb)) return true
  const words = `It was ${AFTER_ALL[what]} after all at ${momentWords(step.at)}: the record in etcd shows it.`
  operations.warn(operation, words)
  if (audit.list({ operation, kind: 'note', limit: 100 }).entries.some((note) => note.words === words)) return true
  recorder.keep({ ...draftFrom(intent), words })
  return true
}

function draftFrom({ verb, operation, subject, reason, asked }: AuditEntry) {
  const actor = { kind: 'nobody', name: 'Tenure', address: '' } as const
  return { kind: 'note', verb, operation, actor, subject, reason, asked, seen: null } as const
}

const stepsOf = (switches: readonly StandingSwitch[]) => switches.flatMap(({ record }) => record?.log ?? [])

/** Follows the records as the watcher reads them. What stood before it began is `completeLog`'s to compare. */
export function correctLateOnes(parts: CorrectionParts & Pick<ActionParts, 'log' | 'signal'>, reach: Reach): void {
  let known: ReadonlySet<string> | null = null
  const look = () => {
    const { switches } = reach.view.info
    if (switches === undefined) return
    const before = known
    const open = new Set<string>()
    const steps = stepsOf(switches)
    for (const step of before === null ? [] : steps) {
      if (before?.has(step.operation) === true || correctSafely(step)) continue
      open.add(step.operation)
    }
    known = new Set(steps.map(({ operation }) => operation).filter((operation) => !open.has(operation)))
  }
  const correctSafely = (step: SwitchStep): boolean => {
    try {
      return correct(parts, step)
    } catch (error) {
      parts.log.error({ operation: step.operation, reason: String(error) }, 'a late switch could not be looked into')
      return false
    }
  }
  look()
  const stop = reach.onChange((refs) => refs === null && look())
  parts.signal.addEventListener('abort', stop, { once: true })
}
