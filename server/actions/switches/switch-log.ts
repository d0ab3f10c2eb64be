/** What the records in etcd say was done and the audit log does not know: it could not be written then. */
import { setImmediate as turn } from 'node:timers/promises'
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

const CHANGES = ['engage', 'extend', 'release', 'confirmRelease', 'arm'] as const
const BEHIND = 'the audit log does not have yet what the switch records say; it is tried again'
const PAGE = 500
/** Of each of these verbs: years of stops. */
const MOST_READ = 4_000

/** What was done to switches of this cluster, as far back as all of it was read. The server does other things meanwhile. */
async function changesOf({ audit }: ActionParts, { name }: Reach): Promise<AuditEntry[]> {
  const changes: AuditEntry[] = []
  let knownFrom = 0
  for (const verb of CHANGES) {
    let cursor: string | undefined
    for (let read = 0; ; read += PAGE) {
      const query = { cluster: name, kind: 'outcome', verb, result: 'verified', limit: PAGE } as const
      const { entries, nextCursor } = audit.list({ ...query, ...(cursor === undefined ? {} : { cursor }) })
      changes.push(...entries)
      if (nextCursor === undefined) break
      if (read + PAGE >= MOST_READ) {
        knownFrom = Math.max(knownFrom, entries.at(-1)?.number ?? 0)
        break
      }
      cursor = nextCursor
      await turn()
    }
  }
  return changes.filter((entry) => entry.number >= knownFrom)
}

/** Scopes whose newest change by the log was an engaging or extending, and by whom. */
async function engagedByLog(parts: ActionParts, reach: Reach): Promise<Map<string, string>> {
  const newest = new Map<string, AuditEntry>()
  for (const entry of await changesOf(parts, reach)) {
    const { scopeBase64 } = entry.subject
    const waits = (entry.asked as { waits?: boolean } | null)?.waits === true
    if (scopeBase64 === undefined || waits) continue
    if (entry.number > (newest.get(scopeBase64)?.number ?? 0)) newest.set(scopeBase64, entry)
  }
  const isEngaged = ({ verb, asked }: AuditEntry) =>
    verb === 'extend' || (verb === 'engage' && (asked as { withoutRecord?: boolean }).withoutRecord !== true)
  return new Map([...newest].flatMap(([scope, entry]) => (isEngaged(entry) ? [[scope, entry.actor.name]] : [])))
}

/** A refusal alone says nothing of what was done, and what an enforced stop held is noted apart. */
function isInLog({ audit, recorder }: ActionParts, { operation, what }: SwitchStep): boolean {
  if (recorder.waitingOf(operation).length > 0 || audit.operation(operation)?.intent) return true
  const { entries } = audit.list({ operation, kind: 'note', verb: VERBS[what], limit: 1_000 })
  return entries.some(({ subject }) => subject.scopeBase64 !== undefined)
}

/** At the start, once etcd answers. Never rejects. */
export async function completeLog(parts: ActionParts, reach: Reach): Promise<void> {
  const { signal } = parts
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      return await completeFrom(parts, reach)
    } catch (error) {
      if (failures === 0) parts.log.warn({ cluster: reach.name, reason: String(error) }, BEHIND)
      await sleep(backoffMs(failures, 500, 10_000), signal)
    }
  }
}

async function completeFrom(parts: ActionParts, reach: Reach): Promise<void> {
  // Before the records are read: what is engaged meanwhile is no alarm.
  const engaged = await engagedByLog(parts, reach)
  const { kvs } = await reach.etcd.range(spanOfSwitches(reach.metaPrefix), {
    deadlineMs: READ_WITHIN_MS,
    signal: parts.signal,
  })
  const scopes = kvs.map(({ key }) => base64FromLatin1(latin1(key).slice(`${reach.metaPrefix}switch/`.length)))
  for (const [scopeBase64, by] of engaged) {
    if (!scopes.includes(scopeBase64)) reach.switchMissing(scopeBase64, by)
  }
  for (const { key, value } of kvs) {
    const scope = latin1(key).slice(`${reach.metaPrefix}switch/`.length)
    for (const step of readSwitch(value)?.log ?? []) {
      if (isInLog(parts, step)) {
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
