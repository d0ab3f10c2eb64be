import { beforeEach, expect, it } from 'vitest'
import { presence } from '../election/presence.ts'
import type { LeaseId } from '../election/types.ts'
import { FakeEtcd } from '../etcd/fake-etcd.ts'
import { systemTimeline } from '../etcd/virtual-time.ts'
import { latin1 } from '../shared/bytes.ts'
import { Keys } from './keys.ts'
import { settingsOf } from './options.ts'
import { PresenceKey, type Words } from './presence.ts'
import { Transactions } from './transactions.ts'
import { Witness } from './witness.ts'

let etcd: FakeEtcd
let key: PresenceKey
let lease: LeaseId
let troubles: string[]

beforeEach(() => {
  etcd = new FakeEtcd(systemTimeline)
  etcd.store.onLeases = () => {}
  troubles = []
  const onTrouble = (error: Error) => troubles.push(error.message)
  const settings = settingsOf({ etcd: etcd.client('a'), election: 'job', identity: 'host-1', onTrouble })
  const keys = new Keys(settings)
  key = new PresenceKey(settings, keys, new Transactions(settings, keys, new Witness(0)))
  lease = etcd.store.grant(10).lease
})

const words = (state: Words['state']): Words => ({ state, token: null, switchNonces: [], lastResign: null })
const written = () => etcd.store.all().filter((kv) => latin1(kv.key).startsWith('/tenure/presence/'))

it('says in etcd what the wire format describes, on its own lease', async () => {
  key.say(lease, { ...words('stopped'), switchNonces: ['n1'] })
  await key.settled()
  const [kv] = written()
  expect([latin1(kv?.key ?? new Uint8Array()), kv?.lease]).toEqual(['/tenure/presence/job//7001', lease])
  expect(presence.parse(JSON.parse(new TextDecoder().decode(kv?.value)))).toEqual({
    v: 1,
    identity: 'host-1',
    state: 'stopped',
    token: null,
    switchNonces: ['n1'],
    lastResign: null,
    onMissingSwitch: 'run',
    metaPrefix: '/tenure/',
    client: 'tenure-ts',
    version: expect.any(String),
  })
})

it('writes once for each change, in order', async () => {
  const before = etcd.store.at
  key.say(lease, words('waiting'))
  key.say(lease, words('waiting'))
  key.say(lease, words('leading'))
  key.say(lease, words('leading'))
  await key.settled()
  expect([etcd.store.at - before, troubles]).toEqual([2, []])
  expect(new TextDecoder().decode(written()[0]?.value)).toContain('"leading"')
})

it('says again what could not be written, when the state is entered again', async () => {
  etcd.store.isOutOfSpace = true
  key.say(lease, words('stopped'))
  await key.settled()
  expect([written().length, troubles.length]).toEqual([0, 1])
  etcd.store.isOutOfSpace = false
  key.say(lease, words('stopped'))
  await key.settled()
  expect(written()).toHaveLength(1)
})

it('does not say that it drains when it has drained at once, and says it when that takes a while', async () => {
  const before = etcd.store.at
  key.say(lease, words('draining'))
  key.lastWord(lease, words('waiting'))
  await key.settled()
  expect(etcd.store.at - before).toBe(0)
  key.say(lease, words('leading'))
  key.say(lease, words('draining'))
  await key.settled()
  expect(new TextDecoder().decode(written()[0]?.value)).toContain('"draining"')
})
