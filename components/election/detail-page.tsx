'use client'
import Link from 'next/link'
import { useEffect, useMemo, useState } from 'react'
import { dualClaimOf } from '../../lib/election/claims.ts'
import type { ClusterView } from '../../lib/election/cluster-view.ts'
import { stoppedBy } from '../../lib/election/scopes.ts'
import { statusOf } from '../../lib/election/status.ts'
import type { Cluster, ElectionRef, ElectionState } from '../../lib/election/types.ts'
import { type Instant, msOf } from '../../lib/shared/clock.ts'
import { HandoffNotices } from '../actions/handoff-notices.tsx'
import { useRenewals } from '../live/queries.ts'
import { useCluster, useConnection, useElection, usePastAt, useServerNow } from '../live/use-live.ts'
import { useViewing } from '../live/use-viewing.ts'
import { DetailActions } from './detail-actions.tsx'
import { DetailCharts } from './detail-charts.tsx'
import { DetailClaims } from './detail-claims.tsx'
import { DetailEvents } from './detail-events.tsx'
import { type Frozen, frozenOf } from './detail-frozen.ts'
import { DetailHeader } from './detail-header.tsx'
import { type PageHistory, usePageHistory } from './detail-history.ts'
import { type PageLanes, pageLanes } from './detail-lanes.ts'
import { DetailLeader } from './detail-leader.tsx'
import { DetailLeaseKeys } from './detail-lease-keys.tsx'
import { DetailQueue } from './detail-queue.tsx'
import { HOUR_RANGE, pageOf, spanOf } from './detail-range.ts'
import { worstMargin } from './detail-readout.ts'
import { nameOfRef } from './detail-ref.ts'
import { Absent, DetailSection } from './detail-section.tsx'
import { sentence } from './detail-sentence.ts'
import { DetailTerms } from './detail-terms.tsx'

interface DetailPageProps {
  cluster: string
  reference: string
}

/** One election, from the first frame on; before it, and where there is none, says so. */
export function DetailPage({ cluster, reference }: DetailPageProps) {
  const found = useElection(cluster, reference as ElectionRef)
  const info = useCluster(cluster)
  const connection = useConnection()
  const now = useServerNow(1)
  if (found === undefined || info === undefined || now === null) {
    const known = connection.state !== 'connecting' && now !== null
    return known ? <NotFound cluster={cluster} reference={reference} /> : <Waiting reference={reference} />
  }
  const frozen = frozenOf(info, connection)
  return <Found cluster={info} frozen={frozen} now={now} state={found.state} view={found.view} />
}

interface FoundProps {
  cluster: Cluster
  state: ElectionState
  view: ClusterView
  now: Instant
  frozen: Frozen | null
}

function useWorstMargin(cluster: string, state: ElectionState, now: Instant): number | null {
  const span = spanOf({ range: HOUR_RANGE, end: null }, now)
  const page = pageOf({ range: HOUR_RANGE, end: null }, span)
  const { data } = useRenewals({ cluster, ref: state.ref, ...page }, HOUR_RANGE.refetchMs)
  const since = state.term === null ? span.fromMs : Math.max(span.fromMs, msOf(state.term.from))
  return worstMargin(data?.series ?? [], since, msOf(now))
}

/** Queues of thousands make lanes dear: anew with their keys, not with every look-up of a lease. */
function usePageLanes(state: ElectionState, { terms }: PageHistory): PageLanes {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the revision stands for the keys of the state
  return useMemo(() => pageLanes(state, terms), [state.ref, state.epoch, state.revision, terms])
}

function Found({ cluster, state, view, now, frozen }: FoundProps) {
  const history = usePageHistory(cluster, state)
  useViewing(cluster.name, [state.ref])
  const worst = useWorstMargin(cluster.name, state, now)
  const { colourOf } = usePageLanes(state, history)
  const isPast = usePastAt() !== null
  const name = view.nameOf(state)
  const status = frozen === null ? statusOf(state, cluster, now) : state.confirmed ? 'unknown' : 'unconfirmed'
  const dual = status === 'dual-claim' ? dualClaimOf(state, cluster.gaps, now) : null
  const stopped = stoppedBy(state.prefixBase64, cluster.switches ?? [])
  const words = sentence({ state, name, now, frozen, worstMargin: worst, dual, stopped, isPast })
  const leader = state.candidates[0]
  return (
    <div className={`flex min-h-[calc(100dvh-52px)] flex-col max-sm:pb-16 ${frozen === null ? '' : 'text-t2'}`}>
      <DetailHeader
        actions={
          <DetailActions
            cluster={cluster}
            colourOf={colourOf}
            isFrozen={frozen !== null}
            name={name}
            now={now}
            state={state}
          />
        }
        colourOf={colourOf}
        name={name}
        prefix={state.prefix}
        status={status}
        words={words}
      />
      {!isPast && <HandoffNotices cluster={cluster.name} reference={state.ref} version={state.term?.token ?? ''} />}
      <div className="grid grow border-line border-t lg:grid-cols-[minmax(0,1fr)_500px] lg:grid-rows-[auto_1fr]">
        <div className="bg-s1 px-4 sm:px-[18px] md:order-2 lg:order-none lg:col-start-2 lg:border-line lg:border-l">
          <DetailLeader
            cluster={cluster.name}
            colour={leader === undefined ? undefined : colourOf(leader)}
            frozen={frozen}
            state={state}
          />
        </div>
        <div className="min-w-0 md:order-1 lg:order-none lg:col-start-1 lg:row-span-2 lg:row-start-1">
          <DetailCharts cluster={cluster} frozen={frozen} history={history} now={now} state={state} />
        </div>
        <div className="min-w-0 bg-s1 px-4 sm:px-[18px] md:order-3 lg:order-none lg:col-start-2 lg:border-line lg:border-l">
          <DetailQueue colourOf={colourOf} frozen={frozen} state={state} />
          {isPast ? <NoClaims /> : <DetailClaims cluster={cluster} frozen={frozen} now={now} state={state} />}
          <DetailLeaseKeys cluster={cluster.name} state={state} />
          <DetailTerms
            cluster={cluster}
            colourOf={(term) => colourOf(term.leader)}
            history={history}
            now={frozen?.at ?? now}
            reference={state.ref}
          />
          <DetailEvents cluster={cluster.name} now={frozen?.at ?? now} state={state} />
        </div>
      </div>
    </div>
  )
}

function NoClaims() {
  return (
    <DetailSection title="Claim beside truth">
      <Absent>Not kept: what instances said of themselves in the past is not on record.</Absent>
    </DetailSection>
  )
}

function NotFound({ cluster, reference }: { cluster: string; reference: string }) {
  const isPast = usePastAt() !== null
  return (
    <div className="px-5 py-6">
      <h1 className="font-display text-2xl text-t2">
        No election <b className="break-all text-t1">{nameOfRef(reference)}</b> in cluster{' '}
        <b className="text-t1">{cluster}</b>.
      </h1>
      <p className="mt-2 text-t2">
        {isPast
          ? 'At that moment it had not begun, or had had no key for a day; or nothing is kept of that time.'
          : 'It may have had no key for a day, lie outside the watched prefixes, or be named wrongly in the address.'}
      </p>
      <Link className="link mt-4 inline-block" href="/">
        Back to all elections
      </Link>
    </div>
  )
}

const PATIENCE_MS = 5_000

/** The layout with dashes; after five seconds it says what is waited for. */
function Waiting({ reference }: { reference: string }) {
  const [long, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="px-5 py-4">
      <h1 className="break-all font-display text-2xl text-t2">
        <b className="text-t1">{nameOfRef(reference)}</b> –
      </h1>
      <p className="mt-2 min-h-5 text-t2" role="status">
        {long && 'Waiting for the first snapshot from the Tenure server.'}
      </p>
    </div>
  )
}
