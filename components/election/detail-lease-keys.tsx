'use client'
import { leaderOf } from '../../lib/election/queue.ts'
import type { ElectionState } from '../../lib/election/types.ts'
import { useElectionDetail } from '../live/queries.ts'
import { usePastAt } from '../live/use-live.ts'
import { Absent, DetailSection } from './detail-section.tsx'

const SHOWN = 12

/** What else hangs on the leader's lease: all of it goes when the lease does. */
export function DetailLeaseKeys(props: { cluster: string; state: ElectionState }) {
  const isPast = usePastAt() !== null
  if (!isPast) return <KeysNow {...props} />
  return (
    <DetailSection title="Keys on this lease">
      <Absent>Not kept: what hung on a lease in the past is not on record.</Absent>
    </DetailSection>
  )
}

function KeysNow({ cluster, state }: { cluster: string; state: ElectionState }) {
  const leader = leaderOf(state.candidates)
  const version = `${leader?.lease ?? ''} ${leader?.createRevision ?? ''}`
  const { data, error } = useElectionDetail({ cluster, ref: state.ref }, version)
  // The answer to the question before this one says nothing of this lease.
  const answered = data !== undefined && (data.leader?.lease ?? null) === (leader?.lease ?? null)
  const keys = ((answered ? data : undefined)?.leaseKeys ?? []).map(({ key }) => key)
  const note =
    keys.length === 0
      ? undefined
      : keys.length === 1
        ? 'it goes with the lease'
        : `all ${keys.length} go with the lease`
  return (
    <DetailSection note={note} title="Keys on this lease">
      {leader?.lease == null ? (
        <Absent>{leader === null ? 'Nobody leads.' : "The leader's key has no lease: no live lease behind it."}</Absent>
      ) : error !== null ? (
        <p className="text-sm text-warn" role="alert">
          They could not be read: <span className="bytes break-all">{error.message}</span>
        </p>
      ) : !answered ? (
        // As high as the one line that most often comes.
        <div className="min-h-[19px]">
          <Absent>Asking etcd…</Absent>
        </div>
      ) : data.leaseKeys === null ? (
        <Absent>etcd did not tell which keys hang on this lease.</Absent>
      ) : (
        <KeyList first={leader.key} keys={keys} />
      )}
    </DetailSection>
  )
}

function KeyList({ keys, first }: { keys: readonly string[]; first: string }) {
  return (
    <ul className="bytes text-sm leading-[19px]">
      {keys.slice(0, SHOWN).map((key) => (
        <li className={`break-all ${key === first ? 'text-t1' : 'text-t2'}`} key={key}>
          {key}
        </li>
      ))}
      {keys.length > SHOWN && <li className="font-sans text-t2">and {keys.length - SHOWN} more</li>}
    </ul>
  )
}
