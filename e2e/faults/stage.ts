/** A real etcd of three members and a fenced resource, shared by the runs of a suite; each run is an election of its own. */
import { type EtcdCluster, type StartEtcdOptions, startEtcd } from '../harness/etcd.ts'
import { type FencedResource, startFencedResource } from '../harness/fenced-resource.ts'
import { makeTempFolder } from '../harness/temp-folder.ts'

/**
 * `npm run test:faults` has it set. `npm run verify` runs the short form: the same faults for less time and less
 * often, without those that tell little beside the others or take minutes.
 */
export const LONG = process.env.TENURE_TEST_LONG === '1'
/** How often the faults are played that must never let two lead at once. */
export const REPEATS: readonly number[] = LONG ? [1, 2, 3, 4] : [1]
/** etcd looks for expired leases twice a second and counts in whole seconds; the rest is a busy machine's. */
export const EXPIRY_LAG_MS = 2_000

export interface FaultStage {
  readonly etcd: EtcdCluster
  readonly resource: FencedResource
  readonly folder: string
  stop(): Promise<void>
}

export async function openStage(options: StartEtcdOptions = {}): Promise<FaultStage> {
  const folder = makeTempFolder('faults')
  const [etcd, resource] = await Promise.all([startEtcd({ members: 3, ...options }), startFencedResource()])
  return {
    etcd,
    resource,
    folder: folder.path,
    stop: async () => {
      await Promise.all([etcd.stop(), resource.stop()])
      folder.remove()
    },
  }
}
