import type { MemberShape } from '../../lib/election/series.ts'
import type { Cluster } from '../../lib/election/types.ts'
import { MemberCards } from './member-cards.tsx'
import { MemberRow } from './member-row.tsx'

const HEADS: readonly [title: string, hint: string][] = [
  ['Member', 'role in etcd'],
  ['Id', 'endpoint'],
  ['Version', 'raft term'],
  ['Database', 'of its quota'],
  ['Probe RTT', 'newest renewal'],
  ['Revision', 'as it answers'],
  ['Alarms', 'raised in etcd'],
]

/** Until the members have been asked, what the live stream knows of them stands there. */
export function Members({ cluster, members }: { cluster: Cluster; members: readonly MemberShape[] | undefined }) {
  const shown = members ?? cluster.members.map(fromSummary)
  return (
    <>
      <MemberCards cluster={cluster} members={shown} />
      <table className={`w-full table-fixed text-left max-md:hidden ${cluster.freshness === 'live' ? '' : 'stale'}`}>
        <colgroup>
          {[15, 22, 10, 20, 11, 11, 11].map((width, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
            <col key={at} style={{ width: `${width}%` }} />
          ))}
        </colgroup>
        <thead className="border-line2 border-b text-sm text-t2">
          <tr>
            {HEADS.map(([title, hint]) => (
              <th className="px-1.5 py-[5px] align-bottom font-medium first:pl-0" key={title} scope="col">
                {title}
                <span className="block font-normal text-t3 text-xs">{hint}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((member) => (
            <MemberRow key={member.id} live={cluster.members.find(({ id }) => id === member.id)} member={member} />
          ))}
        </tbody>
      </table>
    </>
  )
}

function fromSummary({ id, name, isRaftLeader, probeRttMs }: Cluster['members'][number]): MemberShape {
  return {
    id,
    name,
    isRaftLeader,
    probeRttMs,
    endpoint: '',
    version: '',
    dbSize: 0,
    dbSizeInUse: 0,
    dbQuota: null,
    alarms: [],
    revision: null,
    raftTerm: null,
  }
}
