/** What people did in a time, out of the audit log: what was meant and what came of it are one thing. */
import type { IncidentAction, Untold } from '../../lib/election/incident-report.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import type { Actor } from '../auth/person.ts'
import { type Audit, type AuditEntry, auditResult } from '../history/audit.ts'
import { entryFor, queryFor } from './audit-query.ts'

const PAGE = 500
const MOST_PAGES = 4

interface Asked {
  cluster: string
  from: Instant
  to: Instant
  /** Only these elections; what concerns more than one is told as well. Absent: all. */
  refs?: readonly string[] | undefined
}

export function readActions(
  { audit, actor }: { audit: Audit; actor: Actor },
  { refs, ...range }: Asked,
): { actions: IncidentAction[]; told: Untold['actions'] } {
  const entries: AuditEntry[] = []
  let cursor: string | undefined
  try {
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const found = audit.list(queryFor(actor, { ...range, limit: PAGE, cursor }))
      entries.push(...found.entries)
      cursor = found.nextCursor
      if (cursor === undefined) break
    }
    const concerns = ({ subject: { ref } }: AuditEntry) => refs === undefined || ref === undefined || refs.includes(ref)
    const meant = new Set(entries.filter(({ kind }) => kind === 'intent').map(({ operation }) => operation))
    const actions = entries
      .filter((entry) => concerns(entry) && !(entry.kind === 'outcome' && meant.has(entry.operation)))
      .map((entry) => actionOf(entryFor(actor, entry), audit))
    return { actions, told: cursor === undefined ? 'none' : 'newest' }
  } catch (error) {
    // By name: Next compiles the routes apart from the server that made the log.
    if (!(error instanceof Error && error.name === 'AuditUnavailable')) throw error
    return { actions: [], told: 'unreadable' }
  }
}

function actionOf(entry: AuditEntry, audit: Audit): IncidentAction {
  const { at, operation, verb, asked, actor, subject, reason } = entry
  const came = entry.kind === 'intent' ? audit.operation(operation)?.outcomes.at(-1) : entry
  const result = came === undefined ? 'open' : (auditResult(came) ?? 'note')
  const about = subject.name ?? (subject.scope === '' ? 'everything' : subject.scope)
  return {
    at,
    operation,
    verb,
    asked,
    who: actor.token === undefined ? actor.name : `${actor.name} (token ${actor.token})`,
    ...(subject.ref === undefined ? {} : { ref: subject.ref }),
    subject: about ?? '',
    reason,
    result,
    words: came?.outcome?.words ?? came?.words ?? '',
  }
}
