/** A switch record in etcd: read linearizably, and written only over what was read. */
import type { Outcome } from '../../../lib/election/actions.ts'
import { type CallOptions, EtcdError, type KeyValue } from '../../../lib/election/ports.ts'
import { type Done, hasDone, isReused } from '../../../lib/election/switch-changes.ts'
import { readSwitch, type SwitchRecord } from '../../../lib/election/switches.ts'
import type { Revision } from '../../../lib/election/types.ts'
import { isEndpointTrouble } from '../../../lib/etcd/errors.ts'
import { utf8 } from '../../../lib/shared/bytes.ts'
import type { ActionParts } from '../parts.ts'
import { READ_WITHIN_MS } from '../read-election.ts'
import { Refused } from '../refused.ts'
import type { Verdict } from '../undertaking.ts'
import type { Scope } from './switch-scope.ts'

const NEVER = '0' as Revision

export interface StoredRecord {
  /** null: there is none, or it cannot be read. */
  record: SwitchRecord | null
  isThere: boolean
  /** What it says where it cannot be read. */
  raw: string | null
  /** "0" where there is none. */
  modRevision: Revision
  /** Of the read. */
  revision: Revision
  /** The member that answered. */
  endpoint: string
}

/** Rejects with `EtcdError`. */
export async function readRecord({ reach, key }: Scope, signal: AbortSignal): Promise<StoredRecord> {
  const { header, kvs, endpoint } = await reach.etcd.range({ key, limit: 1 }, { deadlineMs: READ_WITHIN_MS, signal })
  return { ...storedRecord(kvs[0]), revision: header.revision, endpoint }
}

export function storedRecord(kv: KeyValue | undefined): Omit<StoredRecord, 'revision' | 'endpoint'> {
  if (kv === undefined) return { record: null, isThere: false, raw: null, modRevision: NEVER }
  const record = readSwitch(kv.value)
  const raw = record === null ? new TextDecoder().decode(kv.value) : null
  return { record, isThere: true, raw, modRevision: kv.modRevision }
}

const REUSED = 'This id was used for something else in the record.'

/** Throws `Refused`. */
export function requireUnused(record: SwitchRecord | null, own: Done): void {
  if (!isReused(record, own)) return
  const fix = 'Make a new id for each thing that is asked for.'
  throw new Refused({ code: 'operation-reused', why: REUSED, fix, is: own.operation })
}

const TRIES = 5
/** What a closed connection still tries to deliver is given up by then. */
const LOST_AFTER_MS = 120_000
const ANY = { key: Uint8Array.of(0), limit: 1 }

/** What is to be written over this; null: nothing is, and why. */
export type Step = (now: StoredRecord) => SwitchRecord | { instead: string }
export type Written = { record: SwitchRecord; modRevision: Revision; revision: Revision } | { instead: string }

/** What one operation writes to a record, and to which members: an answer may be missing from them. */
export class RecordWriting {
  private readonly scope: Scope
  private readonly parts: Pick<ActionParts, 'clock' | 'signal'>
  /** Members that have not answered, and when they were asked last. */
  private readonly unanswered = new Map<string, number>()

  constructor(scope: Scope, parts: Pick<ActionParts, 'clock' | 'signal'>) {
    this.scope = scope
    this.parts = parts
  }

  /** Rejects with `EtcdError`. */
  read(): Promise<StoredRecord> {
    return readRecord(this.scope, this.parts.signal)
  }

  /**
   * Reads, writes over what was read, and reads again until the record shows this operation, which it may
   * from the first look on: an answer was lost. A write that hangs on the way to one member is safe to
   * follow by another: each is for one mod revision. Rejects with `EtcdError`.
   */
  async change(own: Done, step: Step): Promise<Written> {
    let trouble = new EtcdError('aborted', 'others write the record all the time', '')
    for (let attempt = 0; ; attempt += 1) {
      const now = await this.read()
      if (now.record !== null && hasDone(now.record, own)) return { ...now, record: now.record }
      if (isReused(now.record, own)) return { instead: `${REUSED} Nothing was written.` }
      if (attempt === TRIES) throw trouble
      const next = step(now)
      if ('instead' in next) return next
      const value = utf8(JSON.stringify(next))
      const { etcd } = this.scope.reach
      try {
        await this.send(now.endpoint, (call) => etcd.putIfUnchanged(this.scope.key, value, now.modRevision, call))
      } catch (error) {
        if (!(error instanceof EtcdError) || !isEndpointTrouble(error.kind)) throw error
        trouble = error
        etcd.avoid(now.endpoint)
      }
    }
  }

  /** To one member alone, the one that just answered a read. Rejects with `EtcdError`. */
  async send<T>(endpoint: string, write: (call: CallOptions) => Promise<T>): Promise<T> {
    const { clock, signal } = this.parts
    this.unanswered.set(endpoint, clock.monoMs())
    const answer = await write({ deadlineMs: READ_WITHIN_MS, signal, endpoint })
    this.unanswered.delete(endpoint)
    return answer
  }

  /** False while a write may still hang on the way to a member: another one's answer says nothing of it. */
  async haveArrived(): Promise<boolean> {
    const { clock, signal } = this.parts
    const { etcd } = this.scope.reach
    await Promise.all(
      [...this.unanswered].map(async ([endpoint, ms]) => {
        const answer = await etcd.range(ANY, { deadlineMs: READ_WITHIN_MS, signal, endpoint }).catch((error) => error)
        const isSilent = answer instanceof EtcdError && (answer.kind === 'deadline' || answer.kind === 'unavailable')
        if (!isSilent || clock.monoMs() - ms > LOST_AFTER_MS) this.unanswered.delete(endpoint)
      }),
    )
    return this.unanswered.size === 0
  }

  /** What a linearizable read says of it: `done` where the record shows it. Rejects with `EtcdError`. */
  async verify(
    own: Done,
    done: (record: SwitchRecord, modRevision: Revision) => Outcome | Promise<Outcome>,
  ): Promise<Verdict> {
    const haveArrived = await this.haveArrived()
    const { record, modRevision, revision } = await this.read()
    if (record !== null && hasDone(record, own)) return done(record, modRevision)
    return haveArrived ? { is: 'unchanged', revision } : null
  }
}
