/** After a restart: what came of a switch that was being acted upon; a stop that was left half done goes on. */
import type { SwitchMatch, SwitchMode } from '../../../lib/election/scopes.ts'
import { sleep } from '../../../lib/shared/abort.ts'
import { instant } from '../../../lib/shared/clock.ts'
import type { AuditEntry, AuditSubject } from '../../history/audit.ts'
import type { Caller } from '../caller.ts'
import type { ActionParts } from '../parts.ts'
import { resume } from '../perform.ts'
import { arming } from './arm-switch.ts'
import { engaging } from './engage-switch.ts'
import { extending } from './extend-switch.ts'
import { CONFIRM_WITHIN_MS } from './release-requests.ts'
import { askingFor, releasing } from './release-switch.ts'
import { stoppingWithoutRecord } from './stop-without-record.ts'
import { scopeOf } from './switch-scope.ts'

const LOOK_AGAIN_MS = 100

interface Asked {
  cluster: string
  scopeBase64: string
  match: SwitchMatch
  mode: SwitchMode
  until: string
  nonce: string
  matchesNothing?: boolean
  withoutRecord?: boolean
  waits?: boolean
}

/** Releases that wait for a second person. Throws when the audit log cannot be read. */
export function recallReleases(parts: ActionParts): void {
  const from = instant(parts.clock.nowMs() - CONFIRM_WITHIN_MS)
  const { entries } = parts.audit.list({ verb: 'release', kind: 'intent', from, limit: 1_000 })
  parts.releases.recall(entries.reverse())
}

/** False where its cluster is not configured any more. */
export function resumeSwitch(parts: ActionParts, intent: AuditEntry): boolean {
  const { verb, operation, reason, actor } = intent
  const asked = intent.asked as unknown as Asked
  const reach = parts.reaches.get(asked?.cluster)
  if (reach === undefined || asked.scopeBase64 === undefined) return false
  const scope = scopeOf(reach, asked.scopeBase64)
  const caller: Caller = { role: null, actor }
  const input = { ...asked, operation, reason, typedName: '' }
  const persons = () => ({ by: actor.name, reason, confirmedBy: null })
  if (verb === 'engage' && !asked.withoutRecord) {
    void resumeEngaging(parts, intent, () => engaging(parts, caller, { scope, input, meantAt: intent.at }))
  } else if (verb === 'engage') resume(parts, intent, stoppingWithoutRecord(parts, caller, { scope, input }))
  else if (verb === 'extend') resume(parts, intent, as(intent, extending(parts, caller, input)))
  else if (verb === 'arm') resume(parts, intent, arming(parts, caller, input))
  else if (asked.waits) resume(parts, intent, as(intent, askingFor(parts, caller, { scope, input })))
  else if (verb === 'release' || verb === 'confirmRelease') {
    resume(parts, intent, as(intent, releasing(parts, scope, { ...input, verb, by: actor.name, persons })))
  }
  return true
}

/** As it was recorded: the record may have another match by now, or is not known yet. */
function as<W extends { subject: AuditSubject & { cluster: string } }>(intent: AuditEntry, what: W): W {
  return { ...what, subject: { ...intent.subject, cluster: what.subject.cluster } }
}

/** Which elections there are must be known before their heads are held. */
async function resumeEngaging(
  parts: ActionParts,
  intent: AuditEntry,
  what: () => ReturnType<typeof engaging>,
): Promise<void> {
  const reach = parts.reaches.get(intent.subject.cluster ?? '')
  // What it holds already is nobody's to let go.
  parts.keepers.get(reach?.name ?? '')?.begins(intent.operation)
  while (reach?.view.info.freshness !== 'live' || reach.view.info.rolledBack !== undefined) {
    await sleep(LOOK_AGAIN_MS, parts.signal)
    if (parts.signal.aborted) return
  }
  resume(parts, intent, what())
}
