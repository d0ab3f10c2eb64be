import type { ReactNode } from 'react'
import type { MemberShape } from '../../lib/election/series.ts'
import type { MemberSummary } from '../../lib/election/types.ts'
import { milliseconds } from '../../lib/shared/format.ts'
import { DatabaseSize, hexId, MemberRevision, MemberRole, MemberTrouble } from './member-parts.tsx'

interface MemberRowProps {
  member: MemberShape
  /** What the live stream says of the same member. */
  live: MemberSummary | undefined
}

export function MemberRow({ member, live }: MemberRowProps) {
  const away = live?.reachable === false || member.error !== undefined
  const rtt = live?.probeRttMs ?? member.probeRttMs
  return (
    <tr className={`border-line border-b ${away ? 'bg-tint-crit' : ''}`}>
      <th className={`relative h-11 px-1.5 font-normal ${away ? 'edge edge-crit pl-[15px]' : 'pl-0'}`} scope="row">
        <span className="words block truncate font-semibold">{member.name || '(no name)'}</span>
        <Small>
          <MemberRole
            away={away}
            noRaftLeader={live?.noRaftLeader}
            isRaftLeader={live?.isRaftLeader ?? member.isRaftLeader}
          />
        </Small>
      </th>
      <Cell>
        <span className="bytes block truncate">{hexId(member.id)}</span>
        <span className="bytes block truncate text-[11px] text-t3 leading-[14px]">{member.endpoint || '–'}</span>
      </Cell>
      {member.error !== undefined ? (
        <td className="px-1.5" colSpan={5}>
          <MemberTrouble member={member} />
        </td>
      ) : (
        <>
          <Cell>
            {member.version || '–'}
            <Small>{member.raftTerm === null ? '–' : `term ${member.raftTerm}`}</Small>
          </Cell>
          <Cell>
            <DatabaseSize member={member} />
          </Cell>
          <Cell>{rtt === null ? '–' : milliseconds(rtt)}</Cell>
          <Cell>
            <MemberRevision lag={live?.lag} revision={member.revision} />
          </Cell>
          <Cell>
            <MemberTrouble member={member} />
          </Cell>
        </>
      )}
    </tr>
  )
}

const Cell = ({ children }: { children: ReactNode }) => <td className="px-1.5 leading-[15px]">{children}</td>
const Small = ({ children }: { children: ReactNode }) => (
  <span className="block truncate text-t3 text-xs">{children}</span>
)
