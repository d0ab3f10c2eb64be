import { beforeEach, describe, expect, it } from 'vitest'
import { EtcdError, type Op } from '../election/ports.ts'
import type { LeaseId } from '../election/types.ts'
import { FakeEtcd } from '../etcd/fake-etcd.ts'
import { systemTimeline } from '../etcd/virtual-time.ts'
import { fromLatin1, latin1, utf8 } from '../shared/bytes.ts'
import { SeatLost } from './errors.ts'
import { Keys } from './keys.ts'
import { type CandidateOptions, settingsOf } from './options.ts'
import { type Seat, Transactions } from './transactions.ts'
import { Witness } from './witness.ts'

let etcd: FakeEtcd
beforeEach(() => {
  etcd = new FakeEtcd(systemTimeline)
  // Nothing passes here, and no timer shall outlive the test.
  etcd.store.onLeases = () => {}
})

function make(changes: Partial<CandidateOptions> = {}, name = 'a') {
  const settings = settingsOf({ etcd: etcd.client(name), election: 'job', identity: name, ...changes })
  const keys = new Keys(settings)
  const witness = new Witness(settings.minEpoch)
  return { transactions: new Transactions(settings, keys, witness), keys, lease: etcd.store.grant(10).lease }
}

async function enter(changes: Partial<CandidateOptions> = {}, name = 'a') {
  const made = make(changes, name)
  const view = await made.transactions.switches()
  const entry = await made.transactions.enter(made.lease, view)
  if (entry.type !== 'entered') throw new Error(entry.type)
  return { ...made, view, seat: entry.seat }
}

const put = (key: string, value: string, lease: LeaseId | null = null) =>
  write({ type: 'put', key: fromLatin1(key), value: utf8(value), lease })
const write = (op: Op) => etcd.store.txn({ compare: [], success: [op] }, 'somebody').header.revision
const remove = ({ key }: Seat) => write({ type: 'delete', key })
const lastWord = (lease: LeaseId): Op => ({ type: 'put', key: utf8('/tenure/presence/x'), value: utf8('bye'), lease })
const record = (state: string) =>
  JSON.stringify({
    v: 1,
    state,
    reason: 'a test',
    by: 'anna',
    at: '2026-01-01T00:00:00.000Z',
    until: '2026-01-02T00:00:00.000Z',
    nonce: 'n1',
    operation: 'o1',
    match: 'exact',
  })

describe('entering', () => {
  it('finds its own key when it was sent twice', async () => {
    const { transactions, lease, view, seat } = await enter()
    expect(await transactions.enter(lease, view)).toEqual({ type: 'entered', seat })
  })

  it('that comes late does not bring a stopped candidate back into the queue', async () => {
    const { transactions, lease, view, seat } = await enter()
    put('/tenure/switch/job/', record('engaged'))
    await transactions.release(seat, null)
    expect(await transactions.enter(lease, view)).toEqual({ type: 'switches changed' })
    expect(etcd.store.get('job/7001')).toBeUndefined()
  })

  it('names the holder of a single key, and refuses an own key that somebody else put again', async () => {
    await enter({ layout: 'single-key' })
    const b = make({ layout: 'single-key' }, 'b')
    const entry = await b.transactions.enter(b.lease, await b.transactions.switches())
    expect(entry.type === 'held' && new TextDecoder().decode(entry.holder.value)).toBe('a')

    const { transactions, lease, view, seat } = await enter({ election: 'other' })
    put(latin1(seat.key), 'a foreigner')
    await expect(transactions.enter(lease, view)).rejects.toThrow('held by another lease')
  })
})

describe('the win check', () => {
  it('elects the oldest and names the nearest one ahead of the others', async () => {
    const [a, b, c] = [await enter({}, 'a'), await enter({}, 'b'), await enter({}, 'c')]
    expect(await a.transactions.look(a.seat, a.view)).toMatchObject({ type: 'elected', epoch: 0, handoff: null })
    const look = await c.transactions.look(c.seat, c.view)
    expect(look).toMatchObject({ type: 'behind', ahead: { key: b.seat.key }, head: { key: a.seat.key } })
  })

  it('is refused when the own key is gone, on another lease, or made again', async () => {
    const gone = await enter()
    remove(gone.seat)
    await expect(gone.transactions.look(gone.seat, gone.view)).rejects.toThrow('the own key was deleted')
    const held = await enter({ election: 'held' })
    put(latin1(held.seat.key), '{"tenure":"halt"}')
    await expect(held.transactions.look(held.seat, held.view)).rejects.toThrow('put again by somebody else')
    const again = await enter({ election: 'again' })
    remove(again.seat)
    put(latin1(again.seat.key), 'a', again.lease)
    await expect(again.transactions.look(again.seat, again.view)).rejects.toThrow(SeatLost)
  })

  it('is refused when any switch was written since, and in halt mode when the one that armed it is gone', async () => {
    const a = await enter()
    put('/tenure/switch/elsewhere/', record('released'))
    expect(await a.transactions.look(a.seat, a.view)).toEqual({ type: 'switches changed' })
    put('/tenure/switch/armed/', record('released'))
    const halting = await enter({ election: 'armed', onMissingSwitch: 'halt' })
    expect(await halting.transactions.look(halting.seat, halting.view)).toMatchObject({ type: 'elected' })
    write({ type: 'delete', key: utf8('/tenure/switch/armed/') })
    expect(await halting.transactions.look(halting.seat, halting.view)).toEqual({ type: 'switches changed' })
    expect(await halting.transactions.switches()).toMatchObject({ stopped: true, armedBy: null })
  })

  it('sees a switch that a restore brought back, and that is older than the look at the switches', async () => {
    const a = await enter()
    put('/tenure/switch/job/', record('engaged'))
    const view = { ...a.view, at: '999' as Seat['createRevision'] }
    expect(await a.transactions.look(a.seat, view)).toEqual({ type: 'switches changed' })
  })

  it('takes a handoff that cannot be read for none', async () => {
    const a = await enter()
    put('/tenure/handoff/job/', '{"v":2}')
    expect(await a.transactions.look(a.seat, a.view)).toMatchObject({ type: 'elected', handoff: null })
  })
})

describe('a leader', () => {
  it('learns with its proof of switches, handoff and epoch, and that its key is on its lease', async () => {
    const a = await enter()
    const revision = a.seat.createRevision
    const target = { createRevision: '9', lease: '0000000000000009' }
    const request = { v: 1, id: 'h', token: { epoch: 2, revision }, target, reason: 'r', by: 'anna' }
    const modRevision = put('/tenure/handoff/job/', JSON.stringify(request))
    put('/tenure/epoch', JSON.stringify({ v: 1, epoch: 2, id: 'e', highRevision: '1' }))
    put('/tenure/switch/job/', '{')
    expect(await a.transactions.prove(a.seat)).toMatchObject({
      epoch: 2,
      handoff: { id: 'h', target, modRevision },
      view: { stopped: true, nonces: [] },
    })
    put(latin1(a.seat.key), 'held')
    await expect(a.transactions.prove(a.seat)).rejects.toThrow(SeatLost)
    await expect(a.transactions.proclaim(a.seat, utf8('x'))).rejects.toThrow(SeatLost)
    await expect(a.transactions.isNext(a.seat, a.seat)).rejects.toThrow(SeatLost)
  })

  it('sees who is next, by revision and lease', async () => {
    const [a, b] = [await enter({}, 'a'), await enter({}, 'b')]
    expect(await a.transactions.isNext(a.seat, b.seat)).toBe(true)
    expect(await a.transactions.isNext(a.seat, { ...b.seat, lease: a.lease })).toBe(false)
    expect(await b.transactions.isNext(b.seat, a.seat)).toBe(false)
  })

  it('keeps its place when it proclaims', async () => {
    const a = await enter()
    await a.transactions.proclaim(a.seat, utf8('here'))
    expect(etcd.store.get(latin1(a.seat.key))).toMatchObject({ createRevision: a.seat.createRevision, lease: a.lease })
  })
})

describe('releasing', () => {
  it('that is sent twice, to two endpoints, has released, and does not touch who came since (RC-22)', async () => {
    const a = await enter({ layout: 'single-key' })
    expect(await a.transactions.release(a.seat, lastWord(a.lease))).toBe(true)
    expect(await a.transactions.release(a.seat, lastWord(a.lease))).toBe(true)
    const b = await enter({ layout: 'single-key' }, 'b')
    expect(await a.transactions.release(a.seat, lastWord(a.lease))).toBe(true)
    expect(etcd.store.get('job')?.lease).toBe(b.lease)
  })

  it('leaves alone a key that somebody holds, and says that it is gone', async () => {
    const a = await enter()
    put(latin1(a.seat.key), '{"tenure":"halt"}')
    expect(await a.transactions.release(a.seat, null)).toBe(true)
    expect(etcd.store.get(latin1(a.seat.key))).toBeDefined()
  })

  it('is not done when the request it follows was withdrawn or written anew', async () => {
    const a = await enter()
    const modRevision = put('/tenure/handoff/job/', '{}') as Seat['createRevision']
    const same = a.transactions.sameHandoff({ modRevision })
    put('/tenure/handoff/job/', '{}')
    expect(await a.transactions.release(a.seat, lastWord(a.lease), [same])).toBe(false)
    expect(etcd.store.get('/tenure/presence/x')).toBeUndefined()
  })

  it('goes without its last word when there is no space, and says every other trouble', async () => {
    const a = await enter()
    etcd.store.isOutOfSpace = true
    expect(await a.transactions.release(a.seat, lastWord(a.lease))).toBe(true)
    expect(etcd.store.get(latin1(a.seat.key))).toBeUndefined()
    etcd.store.isOutOfSpace = false
    const b = await enter({}, 'b')
    const { txn } = etcd.client('b')
    etcd.client('b').txn = () => Promise.reject(new EtcdError('no-quorum', 'no leader', 'fake'))
    await expect(b.transactions.release(b.seat, lastWord(b.lease))).rejects.toThrow('no leader')
    etcd.client('b').txn = txn
  })
})

it('says what the account must be allowed to do when etcd denies it', async () => {
  const { transactions } = make()
  etcd.client('a').txn = () => Promise.reject(new EtcdError('denied', 'permission denied', 'fake'))
  await expect(transactions.switches()).rejects.toThrow(
    'permission denied: this account must be allowed to read /tenure/',
  )
  etcd.client('a').range = () => Promise.reject(new EtcdError('denied', 'permission denied', 'fake'))
  expect(await transactions.isAlone()).toBe(false)
})
