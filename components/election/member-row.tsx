import type { ReactNode } from 'react'
import type { MemberShape } from '../../lib/election/series.ts'
import type { MemberSummary } from '../../lib/election/types.ts'
import { groupDigits } from '../../lib/shared/decimal.ts'
import { byteSize, milliseconds } from '../../lib/shared/format.ts'

interface MemberRowProps {
  member: MemberShape
  /** What the live stream says of the same member. */
  live: MemberSummary | undefined
}

export function MemberRow({ member, live }: MemberRowProps) {
  const away = live?.reachable === false || member.error !== undefined
  const rtt = live?.probeRttMs ?? member.probeRttMs
  const isRaftLeader = live?.isRaftLeader ?? member.isRaftLeader
  return (
    <tr className={`relative border-line border-b ${away ? 'bg-tint-crit' : ''}`}>
      <th className={`relative h-11 px-1.5 font-normal ${away ? 'edge edge-crit pl-[15px]' : 'pl-0'}`} scope="row">
        <span className="block truncate font-semibold">{member.name || '(no name)'}</span>
        <Small>
          {away ? (
            <span className="text-crit">does not answer</span>
          ) : isRaftLeader ? (
            <span className="text-info">etcd raft leader</span>
          ) : (
            'follower'
          )}
        </Small>
      </th>
      <Cell>
        <span className="bytes block truncate">{hex(member.id)}</span>
        <span className="bytes block truncate text-[11px] text-t3 leading-[14px]">{member.endpoint || '–'}</span>
      </Cell>
      <Cell>
        {member.version || '–'}
        <Small>{member.raftTerm === '' ? '–' : `term ${member.raftTerm}`}</Small>
      </Cell>
      <Cell>
        <DatabaseSize member={member} />
      </Cell>
      <Cell>{rtt === null ? '–' : milliseconds(rtt)}</Cell>
      <Cell>
        <span className="bytes">{member.revision === '' ? '–' : groupDigits(member.revision)}</span>
      </Cell>
      <Cell>
        {member.error !== undefined ? (
          <span className="bytes line-clamp-2 text-[11px] text-crit leading-[14px]" title={member.error}>
            {member.error}
          </span>
        ) : member.alarms.length === 0 ? (
          <span className="text-t3">none</span>
        ) : (
          <b className="text-crit">{member.alarms.join(', ')}</b>
        )}
      </Cell>
    </tr>
  )
}

const Cell = ({ children }: { children: ReactNode }) => <td className="px-1.5 leading-[15px]">{children}</td>
const Small = ({ children }: { children: ReactNode }) => (
  <span className="block truncate text-t3 text-xs">{children}</span>
)

/** Ids come as decimals; etcdctl and etcd's logs write them in hex. */
function hex(id: string): string {
  return /^\d+$/.test(id) ? BigInt(id).toString(16) : id
}

function DatabaseSize({ member: { dbSize, dbSizeInUse, dbQuota } }: { member: MemberShape }) {
  if (dbSize === 0) return '–'
  const used = dbQuota === null || dbQuota <= 0 ? null : Math.min(1, dbSize / dbQuota)
  return (
    <>
      {byteSize(dbSize)}{' '}
      <span className="text-t3">{dbQuota === null ? 'quota not told' : `of ${byteSize(dbQuota)}`}</span>
      {used === null ? (
        <Small>{byteSize(dbSizeInUse)} in use</Small>
      ) : (
        <span
          aria-hidden="true"
          className="mt-1 block h-[5px] w-full max-w-48 overflow-hidden rounded-xs border border-ctl bg-s3"
        >
          <span
            className={`block h-full ${used > 0.8 ? 'bg-crit' : 'bg-t2'}`}
            style={{ width: `max(2px, ${(used * 100).toFixed(1)}%)` }}
          />
        </span>
      )}
    </>
  )
}
