/** Engaging over a record that is there already: what it becomes, and what nobody asked for. Pure. */
import type { SwitchMatch, SwitchMode } from '../../../lib/election/scopes.ts'
import {
  combined,
  type Doing,
  type Engaging,
  engaged,
  type Reaching,
  replacing,
  UNREADABLE,
} from '../../../lib/election/switch-changes.ts'
import type { SwitchRecord } from '../../../lib/election/switches.ts'
import type { StoredRecord } from './switch-store.ts'

export type Over = Pick<StoredRecord, 'record' | 'raw'>

/** null: nothing is engaged there. */
function standingOf({ record, raw }: Over): Reaching | null {
  if (record === null) return raw === null ? null : UNREADABLE
  return record.state === 'engaged' ? { match: record.match, mode: record.mode ?? 'cooperative' } : null
}

const WHAT: Record<SwitchMatch, string> = { exact: 'this election alone', prefix: 'everything below it' }
const wordsOf = ({ match, mode }: { match: SwitchMatch; mode: SwitchMode }) => `${mode} on ${WHAT[match]}`

export interface Clash {
  why: string
  fix: string
  expected: string
  is: string
}

/** Why it cannot be engaged over what stands; null when it can. */
export function clashOf(over: Over, asked: Reaching): Clash | null {
  const standing = standingOf(over)
  if (standing === null || combined(standing, asked) !== null) return null
  const stands =
    over.record === null ? 'A record that cannot be read stands here, which counts as a stop' : 'A stop stands here'
  const why = `${stands}: ${wordsOf(standing)}. It cannot become ${wordsOf(asked)} without enforcing what nobody asked for, or ending what stands.`
  const fix =
    asked.match === 'exact'
      ? 'Engage with match prefix to enforce everything below, or engage without enforcing.'
      : 'Engage with mode enforced to enforce everything below, or engage a wider scope beside it.'
  return { why, fix, expected: wordsOf(asked), is: wordsOf(standing) }
}

export function engagedOver(over: Over, doing: Doing, engaging: Engaging): SwitchRecord | { instead: string } {
  const clash = clashOf(over, engaging)
  if (clash !== null) return { instead: `${clash.why} ${clash.fix}` }
  if (over.raw !== null) return replacing(over.raw, doing, engaging)
  return engaged(over.record, doing, engaging)
}
