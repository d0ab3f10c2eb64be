/** A switch record in etcd: read linearizably, and written only over what was read. */
import { EtcdError, type KeyValue } from '../../../lib/election/ports.ts'
import { readSwitch, type SwitchRecord } from '../../../lib/election/switches.ts'
import type { Revision } from '../../../lib/election/types.ts'
import { utf8 } from '../../../lib/shared/bytes.ts'
import { READ_WITHIN_MS } from '../read-election.ts'
import type { Scope } from './switch-scope.ts'

const NEVER = '0' as Revision

export interface StoredRecord {
  /** null: there is none, or it cannot be read. */
  record: SwitchRecord | null
  isThere: boolean
  /** "0" where there is none. */
  modRevision: Revision
  /** Of the read. */
  revision: Revision
}

/** Rejects with `EtcdError`. */
export async function readRecord({ reach, key }: Scope, signal: AbortSignal): Promise<StoredRecord> {
  const { header, kvs } = await reach.etcd.range({ key, limit: 1 }, { deadlineMs: READ_WITHIN_MS, signal })
  return { ...storedRecord(kvs[0]), revision: header.revision }
}

export function storedRecord(kv: KeyValue | undefined): Omit<StoredRecord, 'revision'> {
  if (kv === undefined) return { record: null, isThere: false, modRevision: NEVER }
  return { record: readSwitch(kv.value), isThere: true, modRevision: kv.modRevision }
}

/** False when the record is another than the one that was read. Rejects with `EtcdError`. */
export async function writeRecord(
  { reach, key }: Scope,
  record: SwitchRecord,
  expected: Revision,
  signal: AbortSignal,
): Promise<boolean> {
  return reach.etcd.putIfUnchanged(key, utf8(JSON.stringify(record)), expected, { deadlineMs: READ_WITHIN_MS, signal })
}

const TRIES = 5

/** What is to be written over this; null: nothing is, and why. */
export type Step = (now: StoredRecord) => SwitchRecord | { instead: string }
export type Written = { record: SwitchRecord; modRevision: Revision; revision: Revision } | { instead: string }

/**
 * Reads, writes over what was read, and reads again until the record shows this operation, which it may
 * from the first look on: an answer was lost. Rejects with `EtcdError`.
 */
export async function changeRecord(
  scope: Scope,
  shows: (record: SwitchRecord | null) => boolean,
  step: Step,
  signal: AbortSignal,
): Promise<Written> {
  for (let attempt = 0; ; attempt += 1) {
    const now = await readRecord(scope, signal)
    if (now.record !== null && shows(now.record)) return { ...now, record: now.record }
    if (attempt === TRIES) throw new EtcdError('aborted', 'others write the record all the time', '')
    const next = step(now)
    if ('instead' in next) return next
    await writeRecord(scope, next, now.modRevision, signal)
  }
}
