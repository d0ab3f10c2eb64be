/** What candidates rely on in etcd, run on the real one and on the fake so that the two agree. */
import { beforeEach, describe, expect, it } from 'vitest'
import type {
  CallOptions,
  KeySpan,
  KvPort,
  LeasePort,
  Notice,
  NoticePort,
  Op,
  Txn,
  TxnPort,
} from '../election/ports.ts'
import type { LeaseId, Revision } from '../election/types.ts'
import { utf8 } from '../shared/bytes.ts'

export interface Subject {
  etcd: KvPort & TxnPort & NoticePort & Pick<LeasePort, 'grant' | 'renew' | 'revoke'>
  setOutOfSpace(isOut: boolean): Promise<void>
  pass(ms: number): Promise<void>
}

const soon: CallOptions = { deadlineMs: 5_000 }
const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
let nth = 0

export function describeCandidateEtcd(name: string, subject: () => Subject): void {
  describe(name, () => {
    const box = { prefix: '' }
    beforeEach(() => {
      nth += 1
      box.prefix = `contract/${nth}/`
    })
    describeTransactions(subject, box)
    describeRanges(subject, box)
    describeLeases(subject, box)
    describeOutOfSpace(subject, box)
    describeNotices(subject, box)
  })
}

interface Box {
  prefix: string
}

function tools(subject: () => Subject, box: Box) {
  const key = (name: string) => utf8(box.prefix + name)
  const span = (): KeySpan => ({ key: key(''), end: utf8(`${box.prefix.slice(0, -1)}0`) })
  const put = (name: string, value: string, lease: LeaseId | null = null): Op => ({
    type: 'put',
    key: key(name),
    value: utf8(value),
    lease,
  })
  const remove = (name: string): Op => ({ type: 'delete', key: key(name) })
  const txn = (txn: Partial<Txn>) => subject().etcd.txn({ compare: [], success: [], ...txn }, soon)
  const read = async (name: string) => (await subject().etcd.range({ key: key(name) }, soon)).kvs[0]
  const names = async (request: object = {}) =>
    (await subject().etcd.range({ ...span(), ...request }, soon)).kvs.map((kv) => text(kv.key).slice(box.prefix.length))
  return { key, span, put, remove, txn, read, names }
}

const kindOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'answered',
    (error: { kind: string; message: string }) => `${error.kind}: ${error.message}`,
  )

function describeTransactions(subject: () => Subject, box: Box): void {
  const { key, span, put, remove, txn, read } = tools(subject, box)
  const zero = '0' as Revision

  it('counts one revision per transaction, and keeps the create revision through puts', async () => {
    const { header: first } = await txn({ success: [put('a', '1'), put('b', '1')] })
    const { header: second } = await txn({ success: [put('a', '2')] })
    expect(BigInt(second.revision)).toBe(BigInt(first.revision) + 1n)
    expect(await read('a')).toMatchObject({ createRevision: first.revision, modRevision: second.revision, lease: null })
    expect(await read('b')).toMatchObject({ createRevision: first.revision, modRevision: first.revision })
  })

  it('counts none for a read, or for the delete of what is not there', async () => {
    const { header } = await txn({ success: [put('a', '1')] })
    await txn({ success: [remove('none')] })
    expect((await subject().etcd.range({ key: key('a') }, soon)).header.revision).toBe(header.revision)
  })

  it('gives a key that was deleted a new create revision', async () => {
    const { header: first } = await txn({ success: [put('a', '1')] })
    await txn({ success: [remove('a')] })
    const { header } = await txn({ success: [put('a', '2')] })
    expect(BigInt(header.revision)).toBe(BigInt(first.revision) + 2n)
    expect((await read('a'))?.createRevision).toBe(header.revision)
  })

  it('takes the branch that the compares choose, and reads what the same transaction wrote', async () => {
    const create: Txn['compare'] = [{ key: key('a'), field: 'create', is: 'equal', to: zero }]
    const find: Op = { type: 'range', request: { key: key('a') } }
    const once = await txn({ compare: create, success: [put('a', '1'), find], failure: [find] })
    expect([once.succeeded, text(once.ranges[0]?.[0]?.value)]).toEqual([true, '1'])
    const again = await txn({ compare: create, success: [put('a', '2'), find], failure: [find, find] })
    expect([again.succeeded, again.ranges.length, text(again.ranges[1]?.[0]?.value)]).toEqual([false, 2, '1'])
  })

  it('compares every key of a span, and takes an empty one for an absent key', async () => {
    const all = (field: 'mod' | 'create', is: 'less' | 'equal' | 'greater', to: Revision): Txn['compare'] => [
      { ...span(), field, is, to },
    ]
    expect((await txn({ compare: all('mod', 'less', '1' as Revision) })).succeeded).toBe(true)
    expect((await txn({ compare: all('create', 'equal', zero) })).succeeded).toBe(true)
    expect((await txn({ compare: all('create', 'greater', zero) })).succeeded).toBe(false)
    const { header: first } = await txn({ success: [put('a', '1')] })
    const after = (revision: Revision) => String(BigInt(revision) + 1n) as Revision
    expect((await txn({ compare: all('mod', 'less', after(first.revision)) })).succeeded).toBe(true)
    await txn({ success: [put('b', '1')] })
    expect((await txn({ compare: all('mod', 'less', after(first.revision)) })).succeeded).toBe(false)
  })

  it('refuses a put and a delete, or two puts, of one key, even in the branch that is not taken', async () => {
    const duplicate = expect.stringMatching(/^other: .*duplicate key given in txn request/)
    expect(await kindOf(txn({ success: [put('a', '1'), remove('a')] }))).toEqual(duplicate)
    expect(await kindOf(txn({ success: [remove('a'), put('a', '1')] }))).toEqual(duplicate)
    expect(await kindOf(txn({ success: [], failure: [put('a', '1'), put('a', '2')] }))).toEqual(duplicate)
    expect(await kindOf(txn({ success: [remove('a'), remove('a')] }))).toBe('answered')
    expect(await read('a')).toBeUndefined()
  })
}

function describeRanges(subject: () => Subject, box: Box): void {
  const { key, span, put, remove, txn, names } = tools(subject, box)

  it('orders by create revision, not by key or change, and limits', async () => {
    await txn({ success: [put('c', '1')] })
    await txn({ success: [put('a', '1')] })
    const { header } = await txn({ success: [put('b', '1')] })
    await txn({ success: [put('c', '2')] })
    expect(await names()).toEqual(['a', 'b', 'c'])
    expect(await names({ order: 'oldest-first' })).toEqual(['c', 'a', 'b'])
    expect(await names({ order: 'newest-first', createdBefore: header.revision, limit: 1 })).toEqual(['a'])
    expect(await names({ order: 'newest-first', createdBefore: '2' as Revision })).toEqual([])
    const { more, kvs } = await subject().etcd.range({ ...span(), limit: 2 }, soon)
    expect([more, kvs.length]).toEqual([true, 2])
    expect((await subject().etcd.range({ ...span(), limit: 3 }, soon)).more).toBe(false)
  })

  it('reads as of an older revision, and refuses one that is not there yet', async () => {
    const { header } = await txn({ success: [put('a', '1')] })
    await txn({ success: [remove('a')] })
    const { kvs, header: now } = await subject().etcd.range({ key: key('a'), at: header.revision }, soon)
    expect(text(kvs[0]?.value)).toBe('1')
    const future = String(BigInt(now.revision) + 9n) as Revision
    expect(await kindOf(subject().etcd.range({ key: key('a'), at: future }, soon))).toMatch(/^future-revision/)
  })
}

function describeLeases(subject: () => Subject, box: Box): void {
  const { key, put, txn, read, names } = tools(subject, box)

  it('deletes all keys of a lease in one revision when it is revoked, and answers 0 to a renewal after that', async () => {
    const { lease, grantedMs } = await subject().etcd.grant(10, soon)
    expect(grantedMs).toBe(10_000)
    const { header } = await txn({ success: [put('a', '1', lease), put('b', '1', lease), put('c', '1')] })
    expect((await read('a'))?.lease).toBe(lease)
    expect(await subject().etcd.renew(lease, soon)).toBe(10_000)
    await subject().etcd.revoke(lease, soon)
    expect(await names()).toEqual(['c'])
    expect((await subject().etcd.range({ key: key('a') }, soon)).header.revision).toBe(
      String(BigInt(header.revision) + 1n),
    )
    expect(await subject().etcd.renew(lease, soon)).toBe(0)
    expect(await kindOf(subject().etcd.revoke(lease, soon))).toMatch(/^other: .*requested lease not found/)
    expect(await kindOf(txn({ success: [put('a', '1', lease)] }))).toMatch(/^other: .*requested lease not found/)
    const skipped = await txn({
      compare: [{ key: key('a'), field: 'create', is: 'greater', to: '0' as Revision }],
      success: [put('a', '1', lease)],
    })
    expect(skipped.succeeded).toBe(false)
  })

  it('lets a lease end by itself, and its keys with it', async () => {
    const { lease, grantedMs } = await subject().etcd.grant(2, soon)
    expect(grantedMs).toBe(2_000)
    await txn({ success: [put('a', '1', lease)] })
    await subject().pass(1_200)
    await subject().etcd.renew(lease, soon)
    await subject().pass(1_200)
    expect(await names()).toEqual(['a'])
    await subject().pass(3_500)
    expect(await names()).toEqual([])
  })

  it('grants no shorter lease than it can keep', async () => {
    const { lease, grantedMs } = await subject().etcd.grant(1, soon)
    expect(grantedMs).toBe(2_000)
    await subject().etcd.revoke(lease, soon)
  })

  it('takes a key off its lease when it is put again without one, and keeps its place', async () => {
    const { lease } = await subject().etcd.grant(10, soon)
    const { header } = await txn({ success: [put('a', '1', lease)] })
    const own: Txn['compare'] = [{ key: key('a'), field: 'lease', is: 'equal', to: lease }]
    expect((await txn({ compare: own })).succeeded).toBe(true)
    await txn({ success: [put('a', 'held')] })
    expect((await txn({ compare: own })).succeeded).toBe(false)
    await subject().etcd.revoke(lease, soon)
    expect(await read('a')).toMatchObject({ lease: null, createRevision: header.revision })
  })
}

function describeOutOfSpace(subject: () => Subject, box: Box): void {
  const { key, put, remove, txn, names } = tools(subject, box)

  it('refuses puts and grants when out of space, and still deletes, revokes and renews', async () => {
    const { lease } = await subject().etcd.grant(30, soon)
    await txn({ success: [put('a', '1', lease), put('b', '1')] })
    await subject().setOutOfSpace(true)
    try {
      expect(await kindOf(txn({ success: [put('c', '1')] }))).toMatch(/^no-space/)
      expect(await kindOf(txn({ success: [remove('b'), put('c', '1')] }))).toMatch(/^no-space/)
      const not: Txn['compare'] = [{ key: key('b'), field: 'create', is: 'greater', to: '0' as Revision }]
      expect(await kindOf(txn({ compare: not, success: [], failure: [put('c', '1')] }))).toMatch(/^no-space/)
      expect(await kindOf(subject().etcd.grant(10, soon))).toMatch(/^no-space/)
      expect(await subject().etcd.renew(lease, soon)).toBe(30_000)
      expect((await txn({ compare: not, success: [remove('b')] })).succeeded).toBe(true)
      expect(await names()).toEqual(['a'])
      await subject().etcd.revoke(lease, soon)
      expect(await names()).toEqual([])
    } finally {
      await subject().setOutOfSpace(false)
    }
    expect(await kindOf(txn({ success: [put('c', '1')] }))).toBe('answered')
  })
}

function describeNotices(subject: () => Subject, box: Box): void {
  const { span, put, remove, txn } = tools(subject, box)

  it('tells of what changes in a span from a revision on, also when it had changed before it was asked', async () => {
    const { header } = await txn({ success: [put('a', '1')] })
    const heard: Notice[] = []
    const after = String(BigInt(header.revision) + 1n) as Revision
    const stop = subject().etcd.notice(span(), after, (notice) => heard.push(notice))
    await subject().pass(400)
    expect(heard).toEqual([])
    await txn({ success: [remove('a')] })
    await subject().pass(400)
    expect(heard).toEqual(['changed'])
    const late: Notice[] = []
    const stopLate = subject().etcd.notice(span(), after, (notice) => late.push(notice))
    await subject().pass(400)
    expect(late).toEqual(['changed'])
    stop()
    stopLate()
    await txn({ success: [put('a', '2')] })
    await subject().pass(400)
    expect([heard.length, late.length]).toEqual([1, 1])
  })
}
