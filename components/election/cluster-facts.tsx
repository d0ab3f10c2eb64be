import type { ReactNode } from 'react'
import type { Cluster } from '../../lib/election/types.ts'
import { groupDigits } from '../../lib/shared/decimal.ts'
import { milliseconds, timeOfDay } from '../../lib/shared/format.ts'
import { usePastAt } from '../live/use-live.ts'
import { SourceTag } from './source-tag.tsx'

/** What holds for the whole cluster, in one band split by hairlines. */
export function ClusterFacts({ cluster }: { cluster: Cluster }) {
  const { members, sampling } = cluster
  const up = members.filter(({ reachable }) => reachable).length
  const isPast = usePastAt() !== null
  const stale = cluster.freshness === 'live' ? '' : 'stale'
  return (
    <dl className={`mx-5 flex flex-wrap border-line2 border-y max-sm:mx-0 max-sm:grid max-sm:grid-cols-2 ${stale}`}>
      <Fact name="Quorum">
        {isPast ? (
          <PastQuorum cluster={cluster} />
        ) : (
          <>
            {cluster.quorum ? 'ok' : <b className="text-crit">none</b>} · {up} of {members.length} answer
          </>
        )}
      </Fact>
      <Fact name="Revision">
        <span className="bytes">{groupDigits(cluster.revision)}</span>
      </Fact>
      <Fact name="As of">{cluster.asOf === null ? '–' : `${timeOfDay(cluster.asOf)} UTC`}</Fact>
      <Fact name="Cluster id">
        <span className="bytes">{cluster.clusterId === '' ? '–' : BigInt(cluster.clusterId).toString(16)}</span>
      </Fact>
      <Fact name="Raft term">
        <span className="bytes">{cluster.raftTerm === '0' ? '–' : cluster.raftTerm || '–'}</span>
      </Fact>
      <Fact name="Epoch">
        <span className="bytes">{cluster.epoch}</span>
      </Fact>
      <Fact name="Renewal p95">
        {cluster.probeP95Ms === null ? (
          <NotMeasured isPast={isPast} />
        ) : (
          <span className="inline-flex items-center gap-1.5">
            {milliseconds(cluster.probeP95Ms)} <SourceTag source="probe" />
          </span>
        )}
      </Fact>
      <Fact name="Renewal margin">
        {isPast
          ? 'not kept'
          : `measured for ${sampling.sampled.toLocaleString('en-US')} of ${sampling.leaders.toLocaleString('en-US')} leaders`}
      </Fact>
      {cluster.readOnly && <Fact name="Mode">read-only</Fact>}
      <div className="col-span-full w-full border-line2 border-t py-[9px] max-sm:px-4">
        <dt className="text-t2 text-xs">Watched prefixes</dt>
        <dd className="font-semibold">
          {cluster.watched.map(({ prefix, prefixBase64 }, at) => (
            <span key={prefixBase64}>
              {at > 0 && ', '}
              <span className="bytes">{prefix === '' ? '(all keys)' : prefix}</span>
            </span>
          ))}
        </dd>
      </div>
    </dl>
  )
}

const NotMeasured = ({ isPast }: { isPast: boolean }) => (isPast ? 'not kept' : 'not measured')
function PastQuorum({ cluster: { quorum, freshness } }: { cluster: Cluster }) {
  if (quorum) return 'ok'
  return freshness === 'live' ? <b className="text-crit">none</b> : 'not known'
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="py-[9px] pr-6 pl-0 max-sm:px-4 sm:min-w-24 sm:[&+&]:border-line2 sm:[&+&]:border-l sm:[&+&]:pl-4">
      <dt className="text-t2 text-xs">{name}</dt>
      <dd className="font-semibold">{children}</dd>
    </div>
  )
}
