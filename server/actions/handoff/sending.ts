/** The three ways to make a leader go. Each is sent once, to one member, on condition of what was read. */
import type { Outcome } from '../../../lib/election/actions.ts'
import type { HandoffRequest } from '../../../lib/election/handoff.ts'
import { parseRef } from '../../../lib/election/ids.ts'
import type { CallOptions, Compare } from '../../../lib/election/ports.ts'
import type { LeaseId, Revision } from '../../../lib/election/types.ts'
import { fromLatin1, latin1FromBase64, utf8 } from '../../../lib/shared/bytes.ts'
import { groupDigits } from '../../../lib/shared/decimal.ts'
import type { Reach } from '../reach.ts'
import { onLease, sameKeys } from './lease.ts'
import type { HandoffPlan } from './plan.ts'

const SEND_WITHIN_MS = 5_000

export interface Sent {
  revision: Revision
  /** Of a request: the lease that ends it. */
  request?: LeaseId
}

export interface Order {
  reach: Reach
  ref: string
  plan: HandoffPlan
  /** Into the request. */
  words: { id: string; reason: string; by: string }
  signal: AbortSignal
  /** Called before anything is sent, with the one member that it is sent to. */
  sending: (endpoint: string) => void
}

/** What was sent, or a final outcome: then it is certain that nothing was done. Rejects with `EtcdError`. */
export function send(order: Order): Promise<Sent | Outcome> {
  switch (order.plan.method) {
    case 'ask':
      return ask(order)
    case 'revoke-session':
      return revoke(order)
    case 'remove-key':
      return removeKey(order)
  }
}

const keyOf = ({ leader }: HandoffPlan) => fromLatin1(latin1FromBase64(leader.keyBase64))

function sameTerm(plan: HandoffPlan): Compare[] {
  const key = keyOf(plan)
  const { createRevision, lease } = plan.leader
  const term: Compare = { key, field: 'create', is: 'equal', to: createRevision }
  return lease === null ? [term] : [term, { key, field: 'lease', is: 'equal', to: lease }]
}

function nothingDone(words: string, revision: Revision): Outcome {
  return { is: 'failed', words: `${words} Nothing was done.`, revision }
}

/** One member, which is never asked twice. The one that just answered a read. */
async function memberOf({ reach: { etcd }, plan, signal, sending }: Order) {
  const { kvs, header, endpoint } = await etcd.range({ key: keyOf(plan) }, { deadlineMs: SEND_WITHIN_MS, signal })
  const call: CallOptions = { deadlineMs: SEND_WITHIN_MS, signal, endpoint }
  sending(endpoint)
  return { found: kvs[0], revision: header.revision, call }
}

async function ask(order: Order): Promise<Sent | Outcome> {
  const { reach, ref, plan, words } = order
  const { call } = await memberOf(order)
  const { etcd, metaPrefix } = reach
  const key = fromLatin1(`${metaPrefix}handoff/${parseRef(ref).prefixLatin1}`)
  const { target } = plan
  const request: HandoffRequest = {
    v: 1,
    ...words,
    token: { epoch: plan.epoch, revision: plan.leader.createRevision },
    target: target === null ? null : { createRevision: target.createRevision, lease: target.lease },
  }
  const { lease } = await etcd.grant(Math.ceil(plan.deadlineMs / 1_000), call)
  const { succeeded, header } = await etcd.txn(
    {
      compare: [...sameTerm(plan), { key, field: 'create', is: 'equal', to: '0' as Revision }],
      success: [{ type: 'put', key, value: utf8(JSON.stringify(request)), lease }],
    },
    call,
  )
  if (succeeded) return { revision: header.revision, request: lease }
  await etcd.revoke(lease, call).catch(() => {})
  return nothingDone('The leader changed, or another request came, before this one was written.', header.revision)
}

/** Revoke has no compare in etcd: what stands is read directly before, and the lease id is the guard. */
async function revoke(order: Order): Promise<Sent | Outcome> {
  const { reach, plan, signal } = order
  const { leader, leaseKeys } = plan
  if (leader.lease === null || leaseKeys === null) throw new Error('a key without a lease has no session to revoke')
  const now = await onLease(reach, leader.lease, signal)
  const { found, revision, call } = await memberOf(order)
  if (found?.createRevision !== leader.createRevision || found.lease !== leader.lease) {
    return nothingDone(
      `The leader changed before its session was revoked (revision ${groupDigits(revision)}).`,
      revision,
    )
  }
  if (now.keys === null || !sameKeys(now.keys, leaseKeys)) {
    return nothingDone('What hangs on the lease changed before it was revoked.', revision)
  }
  await reach.etcd.revoke(leader.lease, call)
  return { revision }
}

/** No put in this transaction: it works with etcd out of space. */
async function removeKey(order: Order): Promise<Sent | Outcome> {
  const { reach, plan } = order
  const { call } = await memberOf(order)
  const key = keyOf(plan)
  const unchanged: Compare = { key, field: 'mod', is: 'equal', to: plan.leader.modRevision }
  const compare = [...sameTerm(plan), unchanged]
  const { succeeded, header } = await reach.etcd.txn({ compare, success: [{ type: 'delete', key }] }, call)
  if (succeeded) return { revision: header.revision }
  return nothingDone('The key changed before it was removed.', header.revision)
}
