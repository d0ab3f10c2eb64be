import { afterEach, beforeEach, vi } from 'vitest'
import { describeCandidateEtcd } from './etcd-contract.ts'
import { FakeEtcd } from './fake-etcd.ts'
import { systemTimeline } from './virtual-time.ts'

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
