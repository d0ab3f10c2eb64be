import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ClusterView } from '../../lib/election/cluster-view.ts'
import { refOf, revision } from '../../lib/election/ids.ts'
import { EtcdError } from '../../lib/election/ports.ts'
import type { Cluster } from '../../lib/election/types.ts'
import { instant, systemClock } from '../../lib/shared/clock.ts'
import { FakeHistory } from '../history/fake-history.ts'
import type { Runtime } from '../runtime-slot.ts'
import type { AppRouter } from './router.ts'

const REF = refOf('queue', '/e/job/')
const KEY = btoa('/e/job/7')

let history: FakeHistory
let viewed: (refs: readonly string[]) => void
let readValue: () => Promise<Uint8Array | null>
let caller: ReturnType<AppRouter['createCaller']>

beforeEach(async () => {
  history = new FakeHistory()
  const view = viewWithOneElection()
  const watcher = {
    elections: { view },
    valueOf: () => readValue(),
    refresh: () => {},
    leases: { viewed: (refs: string[]) => viewed(refs) },
  }
  const runtime = { clock: systemClock, history, watchers: new Map([['eu', watcher]]) } as unknown as Runtime
  // Next compiles the routes apart from the server, so that no class is shared between the two.
  vi.resetModules()
  const { appRouter } = await import('./router.ts')
  caller = appRouter.createCaller({ runtime, actor: { kind: 'loopback', role: 'admin' }, address: '127.0.0.1' })
})

function viewWithOneElection(): ClusterView {
  const view = new ClusterView({ name: 'eu', watched: [] } as unknown as Cluster)
  const own = { createRevision: revision('7'), modRevision: revision('7'), lease: null, nested: false }
  const key = { key: '/e/job/7', keyBase64: KEY, identity: 'a', valueBytes: 1, ...own }
  const named = { prefix: '/e/job/', prefixBase64: btoa('/e/job/'), confirmed: true, foundBy: 'test', epoch: 0 }
  const moment = { at: instant(0), revision: revision('7'), live: false }
  const change = { type: 'opened', ...moment, layout: 'queue', ...named, keys: [key] } as const
  view.apply({ type: 'election', cluster: 'eu', ref: REF, change })
  return view
}

const job = { cluster: 'eu', ref: REF, limit: 10 }
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
const range = { cluster: 'eu', ref: REF, from: ago(3_600_000), to: ago(0), points: 10 }

describe('history that cannot be read', () => {
  test('is said to be unavailable, with the reason, by every query of it', async () => {
    history.failure = 'the disk is full'
    const expected = { code: 'SERVICE_UNAVAILABLE', message: 'the disk is full' }
    await expect(caller.elections.terms(job)).rejects.toMatchObject(expected)
    await expect(caller.elections.events(job)).rejects.toMatchObject(expected)
    await expect(caller.elections.renewals(range)).rejects.toMatchObject(expected)
  })
})

describe('a value that etcd does not give', () => {
  const ask = () => caller.elections.value({ cluster: 'eu', ref: REF, keyBase64: KEY })
  const failing = (kind: EtcdError['kind']) => {
    readValue = () => Promise.reject(new EtcdError(kind, 'in its own words', 'http://a:2379'))
  }

  test.each(['denied', 'auth'] as const)('because the account is %s is forbidden, in etcd’s words', async (kind) => {
    failing(kind)
    const message = 'etcd at http://a:2379: in its own words'
    await expect(ask()).rejects.toMatchObject({ code: 'FORBIDDEN', message })
  })

  test.each(['unavailable', 'deadline', 'no-quorum'] as const)('because it is %s can be asked again', async (kind) => {
    failing(kind)
    await expect(ask()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })

  test('because the key has gone meanwhile is no error', async () => {
    readValue = async () => null
    expect(await ask()).toEqual({ found: false })
  })

  test('because it is no key of this election is never asked for', async () => {
    const read = vi.fn(async () => new Uint8Array())
    readValue = read
    expect(await caller.elections.value({ cluster: 'eu', ref: REF, keyBase64: btoa('/secret') })).toEqual({
      found: false,
    })
    expect(read).not.toHaveBeenCalled()
  })
})

describe('live.viewing', () => {
  test('remembers elections that there are, and nothing else that is sent', async () => {
    const spy = vi.fn()
    viewed = spy
    await caller.live.viewing({ cluster: 'eu', refs: [REF, 'q~eA', 'x'.repeat(10_000)] })
    expect(spy.mock.calls).toEqual([[[REF]]])
    await expect(caller.live.viewing({ cluster: 'us', refs: [] })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const many = Array.from({ length: 101 }, () => REF)
    await expect(caller.live.viewing({ cluster: 'eu', refs: many })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })
})

describe('a range of renewals', () => {
  test('that reaches back before what is kept is refused, however cheap it looks', async () => {
    for (const wide of [
      { ...range, from: '0001-01-01T00:00:00Z' },
      { ...range, to: '9999-12-31T23:59:59Z' },
    ]) {
      const expected = { code: 'BAD_REQUEST', message: expect.stringContaining('kept for 30 days') }
      await expect(caller.elections.renewals(wide)).rejects.toMatchObject(expected)
    }
  })
})
