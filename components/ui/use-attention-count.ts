'use client'
import { countsOf } from '../election/list-model.ts'
import { useRows } from '../election/use-rows.ts'
import { useChosenCluster } from './use-chosen-cluster.ts'

/** Elections that need attention, in the chosen cluster or in all. */
export function useAttentionCount(): number {
  const rows = useRows()
  const { chosen } = useChosenCluster()
  return countsOf(chosen === null ? rows : rows.filter((row) => row.cluster === chosen)).attention
}
