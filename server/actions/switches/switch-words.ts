/** What is said of a kill switch that was acted upon. */
import type { Outcome } from '../../../lib/election/actions.ts'
import { EtcdError } from '../../../lib/election/ports.ts'
import type { SwitchRecord } from '../../../lib/election/switches.ts'
import type { Instant } from '../../../lib/shared/clock.ts'
import { day, hourAndMinute, timeOfDay } from '../../../lib/shared/format.ts'

export const NOT_ENGAGED = 'NOT ENGAGED. '

/** etcd refused the write as a whole: nothing was written. null for any other error. */
export function refusedByEtcd(error: unknown, key: string): string | null {
  if (!(error instanceof EtcdError)) return null
  switch (error.kind) {
    case 'no-space':
      return (
        `etcd is out of space and refuses every write: ${error.message}. What still works: revoking a leader's session, ` +
        'removing its key, and stopping the processes.'
      )
    case 'denied':
    case 'auth':
      return `etcd refused it: ${error.message}. The account of Tenure needs to write ${key}. Processes can be stopped.`
    case 'too-large':
      return `etcd refused it: ${error.message}.`
    default:
      return null
  }
}

/** "Thu 12 Mar 03:30 UTC" */
export function momentWords(at: Instant): string {
  return `${day(at)} ${hourAndMinute(at)} UTC`
}

export function failed(words: string): Outcome {
  return { is: 'failed', words, revision: null }
}

/** A record that could not be read stood there. */
export function replacedWords(asked: 'exact' | 'prefix'): string {
  const wider = asked === 'exact' ? ' Warning: it stops everything below as well, as that one did.' : ''
  return ` A record that could not be read was replaced; what it said is kept.${wider}`
}

/** `operation` has written to this record. */
export function engagedWords(record: SwitchRecord, operation: string, what: string): string {
  if (record.state === 'released') return `It was engaged; ${record.by} has released it since.`
  const until = `meant to be released by ${momentWords(record.until)}`
  if (record.operation === operation) return `Engaged: ${what}, ${until}.`
  return `Engaged already, by ${record.by} since ${timeOfDay(record.at)} UTC, ${until}: this was added to its log.`
}
