/** Variants of the library that are wrong on purpose, made from outside by its port or its clock. */
import type { Compare, Op, Txn, TxnAnswer } from '../../election/ports.ts'
import type { Revision } from '../../election/types.ts'
import type { CandidateEtcd } from '../options.ts'
import type { Twist } from './contestant.ts'

type Ask = (txn: Txn) => Promise<TxnAnswer>

const withTxn =
  (change: (txn: Txn, ask: Ask) => Promise<TxnAnswer>): Twist =>
  (settings) => {
    const { etcd } = settings
    const txn: CandidateEtcd['txn'] = (asked, options) => change(asked, (each) => etcd.txn(each, options))
    return { ...settings, etcd: { ...etcd, txn } }
  }

const reads = (txn: Txn) => (txn.success.every(({ type }) => type === 'range') ? txn.success.length : 0)
const isWinCheck = (txn: Txn) => reads(txn) === 5
const isProof = (txn: Txn) => reads(txn) === 3
const deletes = ({ success }: Txn) => success.some(({ type }: Op) => type === 'delete')
const isOfSpan = ({ end }: Compare) => end !== undefined

/** As Go's `Campaign`: whoever sees nobody ahead has won, whether its own key is still there or not. */
export const wonWithoutOwnKey = withTxn((txn, ask) =>
  ask(isWinCheck(txn) ? { ...txn, compare: txn.compare.filter(isOfSpan) } : txn),
)

/** A switch that was engaged between the look at the switches and the win is not seen. */
export const wonWithoutSwitches = withTxn(async (txn, ask) => {
  if (!isWinCheck(txn)) return ask(txn)
  const answer = await ask({ ...txn, compare: txn.compare.filter((each) => !isOfSpan(each)) })
  return answer.succeeded ? { ...answer, ranges: answer.ranges.slice(0, -1) } : answer
})

/** Resigning deletes the key by its name alone. */
export const releasedUnguarded = withTxn((txn, ask) => ask(deletes(txn) ? { ...txn, compare: [] } : txn))

/** A clock that stands still while a renewal is on its way counts the deadline from its receipt. */
export const deadlineFromReceipt: Twist = (settings) => {
  const { etcd, clock } = settings
  let stoodMs = 0
  let sentMs: number | null = null
  const monoMs = () => (sentMs ?? clock.monoMs()) - stoodMs
  const renew: CandidateEtcd['renew'] = async (lease, options) => {
    sentMs = clock.monoMs()
    try {
      return await etcd.renew(lease, options)
    } finally {
      stoodMs += clock.monoMs() - (sentMs ?? 0)
      sentMs = null
    }
  }
  return { ...settings, clock: { ...clock, monoMs }, etcd: { ...etcd, renew } }
}

/** A renewal counts at once: what the proof after it says, or whether it is answered at all, does not matter. */
export const renewedWithoutProof: Twist = (settings) => {
  const last = new Map<unknown, TxnAnswer>()
  return withTxn(async (txn, ask) => {
    if (!isProof(txn)) return ask(txn)
    const seat = txn.compare.map(({ to }) => to).join()
    const known = last.get(seat)
    try {
      const answer = await ask(txn)
      if (answer.succeeded) last.set(seat, answer)
      return answer.succeeded ? answer : (known ?? answer)
    } catch (error) {
      if (known === undefined) throw error
      return known
    }
  })(settings)
}

/** It has never seen a higher revision than the one it is shown. */
export const blindToRollback: Twist = (settings) => {
  let high = 0n
  return withTxn(async (txn, ask) => {
    const answer = await ask(txn)
    const revision = BigInt(answer.header.revision)
    if (revision > high) high = revision
    return { ...answer, header: { ...answer.header, revision: String(high) as Revision } }
  })(settings)
}
