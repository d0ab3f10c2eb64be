import { beforeEach, expect, test } from 'vitest'
import { ClusterView } from '../../lib/election/cluster-view.ts'
import { refOf } from '../../lib/election/ids.ts'
import { openElection } from '../../lib/election/reducer.ts'
import type { ElectionRef, Revision } from '../../lib/election/types.ts'
import { systemClock } from '../../lib/shared/clock.ts'
import { FakeAudit } from '../history/fake-audit.ts'
import { emptyInfo, type WatcherOptions } from '../watch/watcher-options.ts'
import { Actions } from './actions.ts'
import type { Caller } from './caller.ts'
import { Endings } from './endings.ts'
import type { Reach } from './reach.ts'

const ADMIN: Caller = { role: 'admin', actor: { kind: 'person', name: 'Ada', personId: 'p1', address: '10.0.0.1' } }
const OPERATOR: Caller = { ...ADMIN, role: 'operator' }
const log = { info: () => {}, warn: () => {}, error: () => {} }

let audit: FakeAudit
let actions: Actions
let confirmed: string[]

function lookAlike(prefix: string) {
  const at = '2026-03-12T03:00:00.000Z'
  const common = { at, revision: '7' as Revision, live: true, layout: 'queue' as const, epoch: 0, keys: [] }
  const named = {
    prefix,
    prefixBase64: btoa(prefix),
    confirmed: false,
    foundBy: 'keys named by their lease in decimal',
  }
  return openElection({ type: 'opened', ...common, ...named }).state
}

beforeEach(() => {
  audit = new FakeAudit()
  confirmed = []
  const options = { name: 'test', watch: ['/'], readOnly: false } as unknown as WatcherOptions
  const info = { ...emptyInfo(options), freshness: 'live' as const }
  const view = new ClusterView(info, [lookAlike('/rpc/orders/'), lookAlike('/registry/leases/x/')])
  const reach: Reach = {
    name: 'test',
    etcd: null as unknown as Reach['etcd'],
    metaPrefix: '/tenure/',
    readOnly: 'everywhere',
    view,
    endings: new Endings(),
    confirm: (ref) => confirmed.push(ref),
    acknowledgeRollback: () => {},
    onChange: () => () => {},
    switchDeleted: () => {},
    switchMissing: () => {},
    handingOff: () => {},
  }
  actions = new Actions({
    reaches: new Map([['test', reach]]),
    audit,
    clock: systemClock,
    log,
    secondPerson: false,
    mayStill: () => true,
  })
})

const confirm = (prefix: string, caller = ADMIN, ref: ElectionRef = refOf('queue', prefix)) =>
  actions.confirmElection(caller, { cluster: 'test', ref, operation: 'op-00000001', reason: 'it is one' })

test('an admin confirms a look-alike, in read-only mode too: nothing is written to etcd', async () => {
  expect((await confirm('/rpc/orders/')).outcome?.is).toBe('verified')
  expect(confirmed).toEqual([refOf('queue', '/rpc/orders/')])
  expect(audit.entries.map(({ kind }) => kind)).toEqual(['intent', 'outcome'])
})

test('keys of Kubernetes are never confirmed', async () => {
  await expect(confirm('/registry/leases/x/')).rejects.toMatchObject({ refusal: { code: 'kubernetes' } })
  expect(confirmed).toEqual([])
})

test('an operator does not, and an election that is not there is named', async () => {
  await expect(confirm('/rpc/orders/', OPERATOR)).rejects.toMatchObject({ refusal: { code: 'role' } })
  await expect(confirm('/gone/')).rejects.toMatchObject({ refusal: { code: 'unknown-election' } })
  expect(confirmed).toEqual([])
})
