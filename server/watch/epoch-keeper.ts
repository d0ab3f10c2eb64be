/** Raises the epoch once for all dashboards: a guarded write that one of them wins and the others adopt. */
import { randomBytes } from 'node:crypto'
import { type EpochRecord, epochRecord } from '../../lib/election/epoch.ts'
import { ZERO } from '../../lib/election/ids.ts'
import type { GuardedWritePort, KvPort } from '../../lib/election/ports.ts'
import type { Revision } from '../../lib/election/types.ts'
import { fromLatin1, utf8 } from '../../lib/shared/bytes.ts'
import type { Log } from './log.ts'

const DEADLINE_MS = 3_000
const TRIES = 5

interface EpochKeeperOptions {
  etcd: KvPort & GuardedWritePort
  /** latin1 */
  metaPrefix: string
  readOnly: boolean
  log: Log
}

export class EpochKeeper {
  current = 0
  /** The newest epoch that etcd itself is known to have held; a key that was never written is not missing. */
  inStore = 0
  private readonly options: EpochKeeperOptions
  private readonly key: Uint8Array

  constructor(options: EpochKeeperOptions) {
    this.options = options
    this.key = fromLatin1(`${options.metaPrefix}epoch`)
  }

  /** Takes over what etcd says; true when etcd has an older epoch than it once had. */
  async adopt(remembered: { epoch: number; inStore: number }, signal: AbortSignal): Promise<boolean> {
    const stored = await this.read(signal)
    const held = stored.record?.epoch ?? 0
    this.current = Math.max(remembered.epoch, held)
    this.inStore = Math.max(remembered.inStore, held)
    return stored.readable && held < remembered.inStore
  }

  /** The next epoch, written to etcd where this account may; without that it holds here alone. */
  async raise(highRevision: Revision, signal: AbortSignal): Promise<number> {
    const target = this.current + 1
    for (let attempt = 0; attempt < TRIES && !this.options.readOnly; attempt += 1) {
      const stored = await this.read(signal)
      if (!stored.readable) break
      if ((stored.record?.epoch ?? 0) >= target) {
        this.current = stored.record?.epoch ?? target
        this.inStore = this.current
        return this.current
      }
      const record: EpochRecord = { v: 1, epoch: target, id: randomBytes(8).toString('hex'), highRevision }
      if (await this.write(record, stored.modRevision, signal)) break
    }
    this.current = target
    return target
  }

  private async write(record: EpochRecord, expected: Revision, signal: AbortSignal): Promise<boolean> {
    const value = utf8(JSON.stringify(record))
    try {
      const written = await this.options.etcd.putIfUnchanged(this.key, value, expected, {
        deadlineMs: DEADLINE_MS,
        signal,
      })
      if (written) this.inStore = record.epoch
      return written
    } catch (error) {
      this.options.log.warn(
        { reason: String(error) },
        'the epoch could not be written to etcd: it holds for this dashboard alone',
      )
      return true
    }
  }

  private async read(
    signal: AbortSignal,
  ): Promise<{ readable: boolean; record: EpochRecord | null; modRevision: Revision }> {
    try {
      const { kvs } = await this.options.etcd.range({ key: this.key, limit: 1 }, { deadlineMs: DEADLINE_MS, signal })
      const kv = kvs[0]
      if (kv === undefined) return { readable: true, record: null, modRevision: ZERO }
      const parsed = epochRecord.safeParse(JSON.parse(Buffer.from(kv.value).toString('utf8')))
      return { readable: parsed.success, record: parsed.success ? parsed.data : null, modRevision: kv.modRevision }
    } catch (error) {
      this.options.log.warn({ reason: String(error) }, 'the epoch key cannot be read')
      return { readable: false, record: null, modRevision: ZERO }
    }
  }
}
