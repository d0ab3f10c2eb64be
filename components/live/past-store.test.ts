import { beforeEach, expect, test, vi } from 'vitest'
import type { Cluster } from '../../lib/election/types.ts'
import { CLUSTER } from '../election/fixture.ts'
import { PastStore } from './past-store.ts'

const AT = '2026-03-12T03:12:07.000Z'

beforeEach(() => {
  vi.stubGlobal('document', { visibilityState: 'hidden' })
})

test('time stands still, and silence is no loss', () => {
  const store = new PastStore(AT)
  expect(store.connection).toEqual({ state: 'connecting' })
  store.show(AT, [{ info: CLUSTER as Cluster, elections: [] }])
  expect(store.connection).toEqual({ state: 'past', at: AT })
  expect([...store.views.keys()]).toEqual([CLUSTER.name])
  expect([store.time.nowMs(), store.time.browserAheadMs()]).toEqual([Date.parse(AT), 0])
  store.lost('the connection broke')
  expect(store.connection).toEqual({ state: 'past', at: AT })
})

test('without a time nothing is known', () => {
  const store = new PastStore(null)
  expect([store.time.known, store.connection.state]).toEqual([false, 'connecting'])
})
