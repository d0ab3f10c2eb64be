'use client'
import { useCluster } from '../live/use-live.ts'
import { useChosenCluster } from './use-chosen-cluster.ts'

/** Members that answer and whether they make a quorum, for one cluster. */
export function ClusterSummary() {
  const { chosen } = useChosenCluster()
  const cluster = useCluster(chosen ?? '')
  if (cluster === undefined || cluster.members.length === 0) return null
  const reachable = cluster.members.filter((member) => member.reachable).length
  return (
    <span className="flex items-center gap-[7px] whitespace-nowrap text-t2 max-lg:hidden">
      <span aria-hidden="true" className="flex gap-1">
        {cluster.members.map(({ id, reachable: answers }) => (
          <span className={`size-2 rounded-xs ${answers ? 'bg-t2' : 'border border-crit border-dashed'}`} key={id} />
        ))}
      </span>
      <span>
        {reachable}/{cluster.members.length} members ·{' '}
        {cluster.quorum ? 'quorum ok' : <b className="text-crit">no quorum</b>}
      </span>
    </span>
  )
}
