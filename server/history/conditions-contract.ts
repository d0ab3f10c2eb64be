/** What every `History` does with what etcd itself was like. */
import { describe, expect, it } from 'vitest'
import type { Condition } from '../../lib/election/conditions.ts'
import { at, CLUSTER, revision, START_MS, type With } from './fixtures.ts'

const leads = (subject: string, raftTerm: string, from: number, to: number | null): Condition => ({
  kind: 'raft-leader',
  subject,
  from: at(from),
  to: to === null ? null : at(to),
  raftTerm,
})
const slow = (from: number, to: number | null): Condition => ({
  kind: 'slow-probe',
  subject: 'etcd-1',
  from: at(from),
  to: to === null ? null : at(to),
  words: 'not answered',
})
const all = { cluster: CLUSTER, from: at(0), to: at(1_000) }

export function conditionsContract(withHistory: With): void {
  describe('conditions', () => {
    it(
      'replaces one that is known, and tells them oldest first beside the gaps of the cluster',
      withHistory(async ({ history }) => {
        expect(await history.conditions(all)).toEqual({ conditions: [], gaps: [] })
        expect(await history.observedSince('another')).toBeNull()
        history.recordConditions(CLUSTER, [leads('etcd-1', '3', 5, null), slow(7, null)])
        history.recordConditions(CLUSTER, [leads('etcd-1', '3', 5, 9), leads('etcd-2', '4', 10, null)])
        const gap = { from: at(20), to: at(30), reason: 'watch lost' }
        history.recordGap(CLUSTER, gap)
        expect(await history.conditions(all)).toEqual({
          conditions: [leads('etcd-1', '3', 5, 9), slow(7, null), leads('etcd-2', '4', 10, null)],
          gaps: [gap],
        })
        expect(await history.conditions({ ...all, cluster: 'another' })).toEqual({ conditions: [], gaps: [] })
      }),
    )

    it(
      'answers for a range with all that lasted in it',
      withHistory(async ({ history }) => {
        history.recordConditions(CLUSTER, [leads('etcd-1', '3', 5, 9), slow(6, 20), leads('etcd-2', '4', 30, null)])
        const kinds = async (from: number, to: number) => {
          const { conditions } = await history.conditions({ cluster: CLUSTER, from: at(from), to: at(to) })
          return conditions.map(({ kind, subject }) => `${kind} ${subject}`)
        }
        expect(await kinds(9, 10)).toEqual(['raft-leader etcd-1', 'slow-probe etcd-1'])
        expect(await kinds(10, 30)).toEqual(['slow-probe etcd-1'])
        expect(await kinds(21, 30)).toEqual([])
        expect(await kinds(500, 600)).toEqual(['raft-leader etcd-2'])
      }),
    )

    it(
      'ends what an earlier run left open at its last sight of the cluster, never before it began',
      withHistory(async (harness) => {
        const { history } = harness
        history.recordConditions(CLUSTER, [leads('etcd-1', '3', 5, null), slow(12, null)])
        history.alive(CLUSTER, { at: at(10), epoch: 0, revision: revision(4) })
        await history.flush()
        harness.clock.ms = START_MS + 70_000
        const after = await harness.restart()
        await after.load(CLUSTER, at(70))
        after.recordConditions(CLUSTER, [leads('etcd-1', '3', 71, null)])
        await after.load(CLUSTER, at(80))
        const { conditions, gaps } = await after.conditions(all)
        expect(await after.observedSince(CLUSTER)).toBe(at(0))
        expect(conditions).toEqual([leads('etcd-1', '3', 5, 10), slow(12, 12), leads('etcd-1', '3', 71, null)])
        expect(gaps).toMatchObject([{ from: at(10), to: at(70) }])
      }),
    )
  })
}
