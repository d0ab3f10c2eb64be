import { compareTokens, epochRecord, type FencingToken } from '../election/epoch.ts'
import { isNewer, ZERO } from '../election/ids.ts'
import type { Header, KeyValue } from '../election/ports.ts'
import type { Revision } from '../election/types.ts'
import { StoreRolledBackError } from './errors.ts'

/** The highest revision and epoch that etcd has shown to this candidate: nothing older is ever believed. */
export class Witness {
  private high: Revision = ZERO
  private epoch = 0
  private issued: FencingToken | null = null
  private readonly minEpoch: number

  constructor(minEpoch: number) {
    this.minEpoch = minEpoch
  }

  /** To be taken before a read is sent: answers to reads sent at the same time may come in any order. */
  mark(): Revision {
    return this.high
  }

  /** Throws `StoreRolledBackError` when a linearizable answer is older than `mark`. */
  saw(header: Header, mark: Revision): void {
    if (isNewer(mark, header.revision))
      throw new StoreRolledBackError(
        `etcd is at revision ${header.revision}, after ${mark} had been seen: it was restored from a backup`,
      )
    if (isNewer(header.revision, this.high)) this.high = header.revision
  }

  /** The epoch in force by etcd's epoch key. Throws when it is lower than before, unreadable, or below `minEpoch`. */
  epochOf(kv: KeyValue | undefined): number {
    const epoch = readEpoch(kv)
    if (epoch < this.epoch)
      throw new StoreRolledBackError(`etcd is in epoch ${epoch}, after ${this.epoch} had been seen`)
    this.epoch = epoch
    return epoch
  }

  /** Throws while the epoch is below `minEpoch`: its tokens would compare as older than those of the former cluster. */
  admit(): void {
    if (this.epoch < this.minEpoch)
      throw new StoreRolledBackError(
        `etcd is in epoch ${this.epoch}, below minEpoch ${this.minEpoch}: write the epoch key first`,
      )
  }

  /** Throws when this process has led with a newer token, or this one, before. */
  issue(token: FencingToken): void {
    const last = this.issued
    if (last !== null && compareTokens(token, last) <= 0)
      throw new StoreRolledBackError(
        `token ${token.epoch}.${token.revision} is not above ${last.epoch}.${last.revision}, which was led with before`,
      )
    this.issued = token
  }

  /** After a rollback: true once the epoch was raised above every one seen, from where all counts anew. */
  adopt(header: Header, kv: KeyValue | undefined): boolean {
    const epoch = readEpoch(kv)
    if (epoch <= this.epoch) return false
    this.epoch = epoch
    this.high = header.revision
    return true
  }
}

function readEpoch(kv: KeyValue | undefined): number {
  if (kv === undefined) return 0
  try {
    return epochRecord.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(kv.value))).epoch
  } catch (cause) {
    throw new StoreRolledBackError('the epoch key cannot be read, so no token can be trusted', { cause })
  }
}
