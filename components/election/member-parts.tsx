/** What the table and the cards of members have in common. */
import type { MemberShape } from '../../lib/election/series.ts'
import { groupDigits } from '../../lib/shared/decimal.ts'
import { byteSize } from '../../lib/shared/format.ts'

const NEARLY_FULL = 0.8

/** Ids come as decimals; etcdctl and etcd's logs write them in hex. */
export function hexId(id: string): string {
  return /^\d+$/.test(id) ? BigInt(id).toString(16) : id
}

interface MemberRoleProps {
  away: boolean
  isRaftLeader: boolean
  noRaftLeader?: true | undefined
}

export function MemberRole({ away, isRaftLeader, noRaftLeader }: MemberRoleProps) {
  if (away) return <span className="text-crit">does not answer</span>
  if (noRaftLeader) return <span className="text-crit">knows no etcd raft leader</span>
  return isRaftLeader ? <span className="text-info">etcd raft leader</span> : 'follower'
}

/** Alarms raised in etcd, or why the member could not be asked. */
export function MemberTrouble({ member: { error, alarms } }: { member: MemberShape }) {
  if (error !== undefined) {
    return (
      <span className="bytes line-clamp-2 break-words text-[11px] text-crit leading-[14px]" title={error}>
        {error}
      </span>
    )
  }
  return alarms.length === 0 ? <span className="text-t3">none</span> : <b className="text-crit">{alarms.join(', ')}</b>
}

/** The revision that the member answers with, and whether it shows the past. */
export function MemberRevision({ revision, lag }: Pick<MemberShape, 'revision' | 'lag'>) {
  const shown = lag?.revision ?? revision
  return (
    <>
      <span className="bytes">{shown === null ? '–' : groupDigits(shown)}</span>
      {lag !== undefined && (
        <span className="block text-crit text-xs" title="Nothing is taken from it until it has caught up.">
          lags, etcd is at <span className="bytes">{groupDigits(lag.reached)}</span>
        </span>
      )}
    </>
  )
}

export function DatabaseSize({ member: { dbSize, dbSizeInUse, dbQuota } }: { member: MemberShape }) {
  if (dbSize === 0) return '–'
  const used = dbQuota === null || dbQuota <= 0 ? null : Math.min(1, dbSize / dbQuota)
  return (
    <>
      {byteSize(dbSize)}{' '}
      <span className="text-t3">{dbQuota === null ? 'quota not told' : `of ${byteSize(dbQuota)}`}</span>
      {used === null ? (
        <span className="block truncate text-t3 text-xs">{byteSize(dbSizeInUse)} in use</span>
      ) : (
        <span
          aria-hidden="true"
          className="mt-1 block h-[5px] w-full max-w-48 overflow-hidden rounded-xs border border-ctl bg-s3"
        >
          <span
            className={`block h-full ${used > NEARLY_FULL ? 'bg-crit' : 'bg-t2'}`}
            style={{ width: `max(2px, ${(used * 100).toFixed(1)}%)` }}
          />
        </span>
      )}
    </>
  )
}
