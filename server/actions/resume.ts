/** After a restart: what was meant and has no final outcome is found out by reading, and never written again. */
import type { AuditEntry } from '../history/audit.ts'
import type { ActionParts } from './parts.ts'
import { resume } from './perform.ts'
import type { Undertaking } from './undertaking.ts'

/** What a verb was about to do, made again from its stored intent; null when it cannot be told any more. */
// biome-ignore lint/suspicious/noExplicitAny: each verb has a plan of its own, and gets back the one it stored
export type Rebuild = (intent: AuditEntry) => Undertaking<any> | null

/** By verb. */
export type Rebuilds = ReadonlyMap<string, Rebuild>

export function resumeAll(parts: ActionParts, rebuilds: Rebuilds): void {
  for (const intent of unresolved(parts)) {
    const what = rebuilds.get(intent.verb)?.(intent) ?? null
    const about = { operation: intent.operation, verb: intent.verb, subject: intent.subject }
    if (what === null) parts.log.warn(about, 'an action of an earlier run has no outcome, and cannot be looked into')
    else {
      parts.log.info(about, 'an action of an earlier run has no outcome: looking into it')
      resume(parts, intent, what)
    }
  }
}

function unresolved({ audit, log }: ActionParts): AuditEntry[] {
  try {
    return audit.unresolved()
  } catch (error) {
    log.error({ reason: String(error) }, 'the audit log cannot be read: actions of an earlier run stay without outcome')
    return []
  }
}
