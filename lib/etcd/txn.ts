/** Transactions of the port as etcd's messages, and back. */
import type { ICompare, IRangeRequest, IRequestOp, ITxnRequest, ITxnResponse } from 'etcd3'
import { leaseToDecimal } from '../election/ids.ts'
import type { Compare, Op, RangeRequest, Txn, TxnAnswer } from '../election/ports.ts'
import type { LeaseId } from '../election/types.ts'
import { headerOf, keyValueOf } from './wire.ts'

const RESULT = { equal: 'Equal', less: 'Less', greater: 'Greater' } as const

export function rangeRequestOf(request: RangeRequest): IRangeRequest {
  return {
    key: Buffer.from(request.key),
    ...(request.end ? { range_end: Buffer.from(request.end) } : {}),
    ...(request.limit ? { limit: request.limit } : {}),
    ...(request.at ? { revision: request.at } : {}),
    ...(request.order
      ? { sort_target: 'Create', sort_order: request.order === 'oldest-first' ? 'Ascend' : 'Descend' }
      : {}),
    ...(request.createdBefore ? { max_create_revision: (BigInt(request.createdBefore) - 1n).toString() } : {}),
  }
}

export function txnRequestOf({ compare, success, failure = [] }: Txn): ITxnRequest {
  return { compare: compare.map(compareOf), success: success.map(opOf), failure: failure.map(opOf) }
}

export function txnAnswerOf({ header, succeeded, responses }: ITxnResponse): TxnAnswer {
  const ranges = responses.flatMap(({ response_range: range }) => (range ? [range.kvs.map(keyValueOf)] : []))
  return { header: headerOf(header), succeeded, ranges }
}

function compareOf({ key, end, field, is, to }: Compare): ICompare {
  const subject = { key: Buffer.from(key), ...(end ? { range_end: Buffer.from(end) } : {}), result: RESULT[is] }
  switch (field) {
    case 'create':
      return { ...subject, target: 'Create', create_revision: to }
    case 'mod':
      return { ...subject, target: 'Mod', mod_revision: to }
    case 'lease':
      return { ...subject, target: 'Lease', lease: leaseToDecimal(to as LeaseId) }
  }
}

function opOf(op: Op): IRequestOp {
  switch (op.type) {
    case 'put': {
      const lease = op.lease === null ? {} : { lease: leaseToDecimal(op.lease) }
      return { request_put: { key: Buffer.from(op.key), value: Buffer.from(op.value), ...lease } }
    }
    case 'delete':
      return { request_delete_range: { key: Buffer.from(op.key) } }
    case 'range':
      return { request_range: rangeRequestOf(op.request) }
  }
}
