import { compareTokens, epochRecord, type FencingToken } from '../election/epoch.ts'
import { isNewer, ZERO } from '../election/ids.ts'
import type { Header, KeyValue } from '../election/ports.ts'
import type { Revision } from '../election/types.ts'
import { StoreRolledBackError } from './errors.ts'

export interface Mark {
  high: Revision
  era: number
}

/** The highest revision and epoch that etcd has shown to this candidate: nothing older is ever believed. */
export class Witness {
  private high: Revision = ZERO
  private epoch = 0
  /** How often the store began anew. */
  private era = 0
  private issued: FencingToken | null = null
  /** Something went backwards: only a higher epoch makes that good. */
  private back: string | null = null
  private readonly minEpoch: number
  private readonly epochKey: string

  /** `epochKey` as text, for the words that say what is to be written where. */
  constructor(minEpoch: number, epochKey = '/tenure/epoch') {
    this.minEpoch = minEpoch
    this.epochKey = epochKey
  }

  /** To be taken before a request is sent: answers to requests sent at the same time may come in any order. */
  mark(): Mark {
    return { high: this.high, era: this.era }
  }

  /** Throws `StoreRolledBackError` when a linearizable answer is older than `mark`, and from then on. */
  saw(header: Header, { high, era }: Mark): void {
    // Asked before a higher epoch was adopted: it tells of another store.
    if (era !== this.era) return
    if (this.back !== null) throw new StoreRolledBackError(this.back)
    if (isNewer(high, header.revision)) throw this.wentBack(revisionText(header.revision, high))
    if (isNewer(header.revision, this.high)) this.high = header.revision
  }

  /** The epoch in force by etcd's epoch key. Throws when it is lower than before, unreadable, or below `minEpoch`. */
  epochOf(kv: KeyValue | undefined): number {
    const epoch = readEpoch(kv)
    if (epoch < this.epoch) throw this.wentBack(epochText(epoch, this.epoch))
    this.epoch = epoch
    return epoch
  }

  /** Throws while the epoch is below `minEpoch`: its tokens would compare as older than those of the former cluster. */
  admit(): void {
    if (this.epoch >= this.minEpoch) return
    const record = `{"v":1,"epoch":${this.minEpoch},"id":"<random>","highRevision":"<of the former cluster>"}`
    throw new StoreRolledBackError(
      `etcd is in epoch ${this.epoch}, below minEpoch ${this.minEpoch}: its tokens would compare as older. ` +
        `Raise the epoch first: put ${record} into ${this.epochKey}`,
    )
  }

  /** Throws when this process has led with a newer token, or this one, before. */
  issue(token: FencingToken): void {
    const last = this.issued
    if (last !== null && compareTokens(token, last) <= 0)
      throw this.wentBack(
        `token ${token.epoch}.${token.revision} is not above ${last.epoch}.${last.revision}, which was led with before`,
      )
    this.issued = token
  }

  /**
   * After a refusal: true once the epoch was raised above every one seen, from where all counts anew; or when
   * nothing went backwards and the epoch is readable and high enough again. Throws while it cannot be read.
   */
  adopt(header: Header, kv: KeyValue | undefined, { high }: Mark): boolean {
    if (isNewer(high, header.revision)) this.wentBack(revisionText(header.revision, high))
    else if (isNewer(header.revision, this.high)) this.high = header.revision
    const epoch = readEpoch(kv)
    if (epoch < this.epoch) this.wentBack(epochText(epoch, this.epoch))
    if (epoch < this.minEpoch || (this.back !== null && epoch <= this.epoch)) return false
    this.epoch = epoch
    this.high = header.revision
    this.back = null
    this.era += 1
    return true
  }

  private wentBack(text: string): StoreRolledBackError {
    this.back ??= text
    return new StoreRolledBackError(text)
  }
}

function revisionText(now: Revision, high: Revision): string {
  const text = `etcd is at revision ${now}, after ${high} had been seen`
  return `${text}: it was restored from a backup, and nothing is led until the epoch is raised`
}

function epochText(now: number, high: number): string {
  return `etcd is in epoch ${now}, after ${high} had been seen`
}

function readEpoch(kv: KeyValue | undefined): number {
  if (kv === undefined) return 0
  try {
    return epochRecord.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(kv.value))).epoch
  } catch (cause) {
    throw new StoreRolledBackError('the epoch key cannot be read, so no token can be trusted', { cause })
  }
}
