/**
 * Whether a watch stream has sent all that it missed. etcd before 3.4.25 and 3.5.8 answers a ping at once,
 * also while a watch is behind or about to be canceled as compacted; what a watch has missed, etcd looks
 * for every 100 ms (mvcc/watchable_store.go `syncWatchersLoop`). So a ping counts that was sent later.
 */
import { compareDecimal } from '../shared/decimal.ts'

export const CAUGHT_UP_AFTER_MS = 400

export class CatchingUp {
  private readonly starts: readonly string[]
  private created = 0
  private behind = false
  private sent = 0
  private answered = 0
  /** Answers to pings up to this one prove nothing. */
  private unproven = Number.POSITIVE_INFINITY
  /** Where the member stood when the last watch was made: what it sends up to here was missed. */
  private standing = '0'

  /** The first revision that each range asks for. */
  constructor(starts: readonly string[]) {
    this.starts = starts
  }

  pinged(): void {
    this.sent += 1
  }

  /** The watch of a range exists, on a member at this revision; true when all do and a late ping is needed. */
  watched(range: number, revision: string): boolean {
    this.created += 1
    if (compareDecimal(revision, this.standing) > 0) this.standing = revision
    this.behind ||= compareDecimal(revision, this.starts[range] ?? revision) >= 0
    if (this.created < this.starts.length) return false
    if (!this.behind) this.unproven = 0
    return this.behind
  }

  /**
   * An event of this revision came; true when it was one of those that were missed, so that the wait begins
   * anew: etcd sends them in batches of 1,000 revisions, one each 100 ms (`watchBatchMaxRevs`).
   */
  received(revision: string): boolean {
    if (!this.behind || compareDecimal(revision, this.standing) > 0) return false
    this.unproven = Number.POSITIVE_INFINITY
    return true
  }

  /** `CAUGHT_UP_AFTER_MS` have passed since then: the next ping proves it. */
  settled(): void {
    this.unproven = this.sent
  }

  /** A ping was answered; true when that is a proof. A newer etcd leaves pings of a watch that is behind unanswered. */
  answer(): boolean {
    this.answered += 1
    return this.answered > this.unproven
  }
}
