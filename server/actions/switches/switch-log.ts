/** What the records in etcd say was done and the audit log does not know: it could not be written then. */

import type { SwitchStep } from '../../../lib/election/scopes.ts'
import { readSwitch } from '../../../lib/election/switches.ts'
import { backoffMs, sleep } from '../../../lib/shared/abort.ts'
import { base64FromLatin1, escapeLatin1, latin1 } from '../../../lib/shared/bytes.ts'
import type { AuditEntry } from '../../history/audit.ts'
import { spanOfSwitches } from '../../watch/switch-watch.ts'
import type { ActionParts } from '../parts.ts'
import type { Reach } from '../reach.ts'
import { READ_WITHIN_MS } from '../read-election.ts'
import { correct } from './switch-late.ts'
import { momentWords } from './switch-words.ts'

const DID: Readonly<Record<SwitchStep['what'], string>> = {
  engaged: 'engaged it',
  'engaged again': 'engaged it again',
  extended: 'extended it',
  released: 'released it',
  armed: 'armed it',
}

const VERBS = {
  engaged: 'engage',
  'engaged again': 'engage',
  extended: 'extend',
  released: 'release',
  armed: 'arm',
} as const

const CHANGES: ReadonlySet<string> = new Set(['engage', 'extend', 'release', 'confirmRelease', 'arm'])
const MOST_READ = 1_000

/** Scopes whose newest change by the log was an engaging or extending, and by whom. */
function engagedByLog({ audit }: ActionParts, { name }: Reach): Map<string, string> {
  const newest = new Map<string, AuditEntry>()
  for (const entry of audit.list({ cluster: name, kind: 'outcome', limit: MOST_READ }).entries) {
    const { scopeBase64 } = entry.subject
    const waits = (entry.asked as { waits?: boolean } | null)?.waits === true
    if (scopeBase64 === undefined || !CHANGES.has(entry.verb) || entry.outcome?.is !== 'verified' || waits) continue
    if (!newest.has(scopeBase64)) newest.set(scopeBase64, entry)
  }
  const isEngaged = ({ verb, asked }: AuditEntry) =>
    verb === 'extend' || (verb === 'engage' && (asked as { withoutRecord?: boolean }).withoutRecord !== true)
  return new Map([...newest].flatMap(([scope, entry]) => (isEngaged(entry) ? [[scope, entry.actor.name]] : [])))
}

/** At the start, once etcd answers. Never rejects. */
export async function completeLog(parts: ActionParts, reach: Reach): Promise<void> {
  const { signal } = parts
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      return await completeFrom(parts, reach)
    } catch {
      await sleep(backoffMs(failures, 500, 10_000), signal)
    }
  }
}

async function completeFrom(parts: ActionParts, reach: Reach): Promise<void> {
  const { kvs } = await reach.etcd.range(spanOfSwitches(reach.metaPrefix), {
    deadlineMs: READ_WITHIN_MS,
    signal: parts.signal,
  })
  const scopes = kvs.map(({ key }) => base64FromLatin1(latin1(key).slice(`${reach.metaPrefix}switch/`.length)))
  for (const [scopeBase64, by] of engagedByLog(parts, reach)) {
    if (!scopes.includes(scopeBase64)) reach.switchMissing(scopeBase64, by)
  }
  for (const { key, value } of kvs) {
    const scope = latin1(key).slice(`${reach.metaPrefix}switch/`.length)
    for (const step of readSwitch(value)?.log ?? []) {
      if (parts.audit.operation(step.operation) !== null) {
        correct(parts, step)
        continue
      }
      parts.recorder.keep({
        kind: 'note',
        operation: step.operation,
        verb: VERBS[step.what],
        actor: { kind: 'nobody', name: step.by, address: '' },
        subject: { cluster: reach.name, scope: escapeLatin1(scope), scopeBase64: base64FromLatin1(scope) },
        reason: step.reason,
        asked: { until: step.until },
        seen: { at: step.at },
        words: `${step.by} ${DID[step.what]} at ${momentWords(step.at)}, as its record in etcd says. This log could not be written then, or another Tenure did it.`,
      })
    }
  }
}
