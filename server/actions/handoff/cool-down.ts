/** A handoff so soon after another one is most often a mistake, or the sign that the first did not help. */
import { COOL_DOWN_MS, type HandoffPreflight, type Operation } from '../../../lib/election/actions.ts'
import { msOf } from '../../../lib/shared/clock.ts'
import { duration } from '../../../lib/shared/format.ts'

/** The newest one that was not in vain. What failed left everything as it was: to force is the next step then. */
export function coolDownOf(operations: readonly Operation[], nowMs: number): HandoffPreflight['coolDown'] {
  const newest = operations.find(({ verb, outcome }) => verb === 'handoff' && outcome?.is !== 'failed')
  if (newest === undefined) return null
  const agoMs = nowMs - msOf(newest.at)
  if (agoMs >= COOL_DOWN_MS) return null
  const words = `Handed off ${duration(agoMs)} ago by ${newest.by}: ${newest.reason}`
  return { operation: newest.id, by: newest.by, at: newest.at, words }
}
