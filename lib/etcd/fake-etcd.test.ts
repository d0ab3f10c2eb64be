import { afterEach, beforeEach, vi } from 'vitest'
import { systemTimeline } from '../shared/virtual-time.ts'
import { describeCandidateEtcd } from './etcd-contract.ts'
import { FakeEtcd } from './fake-etcd.ts'

let fake: FakeEtcd

beforeEach(() => {
  vi.useFakeTimers()
  fake = new FakeEtcd(systemTimeline)
})
afterEach(() => {
  vi.useRealTimers()
})

describeCandidateEtcd('the fake etcd', () => ({
  etcd: fake.client('contract'),
  setOutOfSpace: async (isOut) => {
    fake.store.isOutOfSpace = isOut
  },
  pass: async (ms) => {
    await vi.advanceTimersByTimeAsync(ms)
  },
}))
