/** Which alerts a silence keeps from being told. Pages ask the same before one is made. */
import type { Alert, Silence } from './alerts.ts'
import { parseRef, shown } from './ids.ts'
import { matchesElection } from './layouts.ts'

type About = Pick<Alert, 'cluster' | 'rule' | 'ref' | 'subject'>

/** The prefix of an alert's election, as people read it; '' where it is about none. */
export function prefixOf({ ref }: Pick<Alert, 'ref'>): string {
  if (ref === undefined) return ''
  try {
    return shown(parseRef(ref).prefixLatin1).text
  } catch {
    return ''
  }
}

/**
 * What is left out fits everything. A pattern fits the prefix of an election, read from its reference since right after
 * a start none is known by its name, or the name that pages show; what is about no election it does not fit.
 */
export function fits({ cluster, rule, pattern }: Pick<Silence, 'cluster' | 'rule' | 'pattern'>, alert: About): boolean {
  if (cluster !== undefined && cluster !== alert.cluster) return false
  if (rule !== undefined && rule !== alert.rule) return false
  if (pattern === undefined) return true
  if (alert.ref === undefined) return false
  return [prefixOf(alert), alert.subject].some((text) => matchesElection(pattern, text))
}
