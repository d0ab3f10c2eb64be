/** A kill switch in words: what it holds, who engaged it, why, and until when. */
import type { StandingSwitch } from '../../lib/election/scopes.ts'
import { timeOfDay } from '../../lib/shared/format.ts'

/** "everything", "/elections/settlement/ and below", "/elections/settlement/eu/". */
export function scopeWords({ scope, match }: StandingSwitch): string {
  if (match === 'exact') return scope
  return scope === '' ? 'everything' : `${scope} and below`
}

/** Who stopped it and why. A record that cannot be read names nobody. */
export function stoppedWords({ by, reason }: { by: string; reason: string }): string {
  return by === '' ? `stopped: ${reason}` : `stopped by ${by}: ${reason}`
}

/** Who, since when, why and until when; what an unreadable record means. */
export function switchWords({ record }: StandingSwitch): string {
  if (record === null) return 'its record cannot be read, which candidates of the library take for a stop'
  const { by, at, reason, until } = record
  const engaged = `engaged by ${by} at ${timeOfDay(at)} UTC: ${reason}`
  return until === undefined ? engaged : `${engaged} (meant to be released by ${timeOfDay(until)} UTC)`
}
