import { startCandidate, type TestCandidate } from '../../harness/library-candidate.ts'
import { expect, test } from './test.ts'

export interface TwoWorkers {
  leading(): number
  stopped(): number
}

/** Two candidates of the library in one election, one of which leads when a test begins. */
export function twoWorkers(election: string): TwoWorkers {
  let workers: TestCandidate[] = []
  const inState = (state: string) => workers.filter(({ candidate }) => candidate.state === state).length
  test.beforeEach(async ({ etcd }) => {
    workers = ['worker-a', 'worker-b'].map((identity) =>
      startCandidate({ endpoints: etcd.endpoints, election, identity, ttlSeconds: 10 }),
    )
    await expect.poll(() => inState('leading')).toBe(1)
  })
  test.afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()))
  })
  return { leading: () => inState('leading'), stopped: () => inState('stopped') }
}
