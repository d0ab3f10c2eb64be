'use client'
import Link from 'next/link'
import type { Cluster } from '../../lib/election/types.ts'
import { AcknowledgeRollback } from '../actions/acknowledge-rollback.tsx'
import { useClusterHealth } from '../live/queries.ts'
import { useCluster, useConnection, usePastAt, useStructureVersion } from '../live/use-live.ts'
import { Button } from '../ui/button.tsx'
import { useChosenCluster } from '../ui/use-chosen-cluster.ts'
import { frozenAt, seenFreshness } from './as-seen.ts'
import { ClusterFacts } from './cluster-facts.tsx'
import { clusterSentence, pastClusterSentence } from './cluster-sentence.ts'
import { ClusterSkew } from './cluster-skew.tsx'
import { Waiting } from './list-states.tsx'
import { Members } from './members.tsx'

/** One etcd cluster: its members, its quorum, and how well Tenure sees it. */
export function ClusterPage({ name }: { name: string }) {
  useStructureVersion()
  const cluster = useCluster(name)
  const { names } = useChosenCluster()
  if (cluster !== undefined) return <KnownCluster cluster={cluster} />
  return names.length === 0 ? <WaitingForCluster name={name} /> : <UnknownCluster name={name} names={names} />
}

function KnownCluster({ cluster }: { cluster: Cluster }) {
  const connection = useConnection()
  const health = useClusterHealth(cluster.name)
  const seen = {
    ...cluster,
    freshness: seenFreshness(cluster, connection),
    asOf: frozenAt(cluster, connection) ?? cluster.asOf,
  }
  const isPast = usePastAt() !== null
  const sentence = isPast ? pastClusterSentence(cluster) : clusterSentence(seen, health.data?.members ?? [])
  return (
    <>
      <h1 className="words px-5 pt-[15px] pb-3 font-display text-2xl text-t2 tracking-[-0.004em] max-sm:px-4 max-sm:text-xl">
        <b className="text-t1">{sentence.strong}</b> {sentence.rest}
      </h1>
      <AcknowledgeRollback cluster={cluster} />
      <ClusterFacts cluster={seen} />
      <section aria-labelledby="members" className="px-5 pt-5 max-sm:px-4">
        <h2 className="mb-1 font-semibold text-lg" id="members">
          Members
        </h2>
        {health.error !== null && <HealthError message={health.error.message} onRetry={() => void health.refetch()} />}
        {isPast ? (
          <p className="text-t2">Not kept: the members of that time, their sizes and alarms are not on record.</p>
        ) : (
          <Members cluster={seen} members={health.data?.members} />
        )}
      </section>
      <ClusterSkew cluster={cluster.name} />
    </>
  )
}

function WaitingForCluster({ name }: { name: string }) {
  return (
    <>
      <h1 className="words px-5 pt-[15px] font-display text-2xl text-t2 max-sm:px-4 max-sm:text-xl">
        <b className="text-t1">{name}.</b> Waiting for what etcd has.
      </h1>
      <Waiting />
    </>
  )
}

function HealthError({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div className="my-2 flex flex-wrap items-center gap-3 border-line2 border-y py-3" role="status">
      <p>
        <b className="text-crit">Members could not be read.</b> <span className="bytes text-t2">{message}</span>
      </p>
      <span className="ml-auto flex gap-2">
        <Button onClick={() => void navigator.clipboard?.writeText(message)} size="sm">
          Copy
        </Button>
        <Button onClick={onRetry} size="sm">
          Retry
        </Button>
      </span>
    </div>
  )
}

function UnknownCluster({ name, names }: { name: string; names: readonly string[] }) {
  return (
    <div className="px-5 pt-[15px] max-sm:px-4">
      <h1 className="words font-display text-2xl text-t2">
        <b className="text-t1">No cluster is called “{name}”.</b> The configuration names these:
      </h1>
      <ul className="mt-3 flex flex-col items-start gap-1">
        {names.map((known) => (
          <li key={known}>
            <Link className="link inline-block py-1" href={`/clusters/${encodeURIComponent(known)}`}>
              {known}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
