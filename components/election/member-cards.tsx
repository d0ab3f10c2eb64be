import type { ReactNode } from 'react'
import type { MemberShape } from '../../lib/election/series.ts'
import type { Cluster } from '../../lib/election/types.ts'
import { milliseconds } from '../../lib/shared/format.ts'
import { DatabaseSize, hexId, MemberRevision, MemberRole, MemberTrouble } from './member-parts.tsx'

/** The members where there is no room for a table. */
export function MemberCards({ cluster, members }: { cluster: Cluster; members: readonly MemberShape[] }) {
  return (
    <ul className={`-mx-4 border-line border-b md:hidden ${cluster.freshness === 'live' ? '' : 'stale'}`}>
      {members.map((member) => {
        const live = cluster.members.find(({ id }) => id === member.id)
        const away = live?.reachable === false || member.error !== undefined
        const rtt = live?.probeRttMs ?? member.probeRttMs
        return (
          <li
            className={`relative border-line border-t px-4 py-3 [--edge-width:4px] ${away ? 'edge edge-crit bg-tint-crit' : ''}`}
            key={member.id}
          >
            <p className="flex items-baseline justify-between gap-3">
              <b className="words truncate text-[14px]">{member.name || '(no name)'}</b>
              <span className="text-sm">
                <MemberRole
                  away={away}
                  noRaftLeader={live?.noRaftLeader}
                  isRaftLeader={live?.isRaftLeader ?? member.isRaftLeader}
                />
              </span>
            </p>
            <dl className="mt-1.5 grid grid-cols-2 gap-x-4 gap-y-2">
              <Item name="Id">
                <span className="bytes">{hexId(member.id)}</span>
              </Item>
              <Item name="Endpoint">
                <span className="bytes break-all">{member.endpoint || '–'}</span>
              </Item>
              <Item name="Version">{member.version || '–'}</Item>
              <Item name="Probe RTT">{rtt === null ? '–' : milliseconds(rtt)}</Item>
              <Item name="Database">
                <DatabaseSize member={member} />
              </Item>
              <Item name="Revision">
                <MemberRevision lag={live?.lag} revision={member.revision} />
              </Item>
              <Item name="Alarms">
                <MemberTrouble member={member} />
              </Item>
            </dl>
          </li>
        )
      })}
    </ul>
  )
}

function Item({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-t3 text-xs">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
