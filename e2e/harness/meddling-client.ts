import type { CallOptions, KeySpan, Notice, Txn, TxnAnswer } from '../../lib/election/ports.ts'
import type { LeaseId, Revision } from '../../lib/election/types.ts'
import { EtcdClient } from '../../lib/etcd/client.ts'
import { latin1 } from '../../lib/shared/bytes.ts'

export type Question = 'switches' | 'enter' | 'look' | 'prove' | 'release' | 'other'

/** A client that lets a test act right before a question is sent, or right after its answer came. */
export class MeddlingClient extends EtcdClient {
  readonly counts = new Map<string, number>()
  before: (question: Question, txn: Txn) => Promise<void> | void = () => {}
  after: (question: Question, txn: Txn) => Promise<void> | void = () => {}

  private count(question: string): void {
    this.counts.set(question, (this.counts.get(question) ?? 0) + 1)
  }

  /** Everything that was asked since the counts were cleared. */
  get asked(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0)
  }

  override renew(lease: LeaseId, options: CallOptions): Promise<number> {
    this.count('renew')
    return super.renew(lease, options)
  }

  override grant(ttlSeconds: number, options: CallOptions) {
    this.count('grant')
    return super.grant(ttlSeconds, options)
  }

  override notice(span: KeySpan, from: Revision, listener: (notice: Notice) => void): () => void {
    this.count('notice')
    return super.notice(span, from, listener)
  }

  override async txn(txn: Txn, options: CallOptions): Promise<TxnAnswer> {
    const question = questionOf(txn)
    this.count(question)
    await this.before(question, txn)
    const answer = await super.txn(txn, options)
    await this.after(question, txn)
    return answer
  }
}

function questionOf({ compare, success }: Txn): Question {
  const ranges = success.filter(({ type }) => type === 'range').length
  if (success.some(({ type }) => type === 'delete')) return 'release'
  if (compare[0]?.field === 'create' && compare[0].to === '0') return 'enter'
  // The win check compares all switches with the moment at which they were read.
  if (compare.some(({ end }) => end !== undefined)) return 'look'
  if (ranges === 3) return 'prove'
  const reads = success.some((op) => op.type === 'range' && latin1(op.request.key).endsWith('switch/'))
  return reads ? 'switches' : 'other'
}
