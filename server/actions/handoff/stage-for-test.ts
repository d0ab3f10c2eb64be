/** A real etcd with foreign candidates and those of the library, and somebody who hands leadership off: for tests. */
import { spawnElect } from '../../../e2e/harness/candidate.ts'
import { Scene } from '../../../e2e/harness/election-scene.ts'
import { eventually } from '../../../e2e/harness/library-candidate.ts'
import type { OwnedProcess } from '../../../e2e/harness/owned-process.ts'
import type { Phase } from '../../../lib/election/actions.ts'
import type { ElectionState } from '../../../lib/election/types.ts'
import { type Acting, startActing, writesOf } from './acting-for-test.ts'

export interface Stage {
  scene: Scene
  acting: Acting
  /** `etcdctl elect` for each letter, one behind the other. */
  elect(election: string, values: string): Promise<OwnedProcess[]>
  /** Once the server sees so many candidates. */
  seen(election: string, count: number): Promise<ElectionState>
  /** Everything that a write to etcd would change. */
  writes(): Promise<string>
  clear(): Promise<void>
  stop(): Promise<void>
}

export async function openStage(): Promise<Stage> {
  const scene = await Scene.open()
  const acting = await startActing({ endpoints: scene.etcd.endpoints, watch: ['jobs/'] })
  const foreign: OwnedProcess[] = []
  return {
    scene,
    acting,
    elect: async (election, values) => {
      const all: OwnedProcess[] = []
      for (const value of values) {
        all.push(spawnElect({ endpoints: scene.etcd.endpoints, election, value }))
        await eventually(`${value} queues`, async () => (await scene.order(election)).endsWith(value))
      }
      foreign.push(...all)
      return all
    },
    seen: (election, count) => acting.until(`${election}/`, ({ candidates }) => candidates.length >= count),
    writes: () => writesOf((args) => scene.etcd.etcdctl(args)),
    clear: async () => {
      await Promise.all(foreign.splice(0).map((each) => each.kill()))
      await scene.clear()
    },
    stop: async () => {
      await acting.stop()
      await scene.stop()
    },
  }
}

export const phase = (phases: readonly Phase[], name: Phase['name']) => phases.find((each) => each.name === name)
