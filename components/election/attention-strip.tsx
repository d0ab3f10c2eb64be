'use client'
import Link from 'next/link'
import { type ReactNode, useMemo, useSyncExternalStore } from 'react'
import type { AlertBrief } from '../../lib/election/alerts.ts'
import { statusOf } from '../../lib/election/status.ts'
import type { ElectionRef } from '../../lib/election/types.ts'
import { instant } from '../../lib/shared/clock.ts'
import { useConnection, useElection, useLiveStore } from '../live/use-live.ts'
import { Age } from './age.tsx'
import { edgeOfAlert, glyphOf } from './alert-glyph.ts'
import { AlertMark } from './alert-mark.tsx'
import { attentionItems } from './attention-items.ts'
import { electionHref } from './election-href.ts'
import { explain } from './explain.ts'
import type { Row } from './list-model.ts'
import { StatusDetail } from './status-detail.tsx'
import { StatusMark } from './status-mark.tsx'
import { edgeOf } from './status-words.ts'
import { useSeenCluster } from './use-seen.ts'

const MOST = 5

const CALM = {
  nothing: '–',
  before: 'Nothing needed attention when it was seen last.',
  now: 'Nothing needs attention.',
}

interface AttentionStripProps {
  /** The worst by their status: where no alerts are told, as in the past. */
  rows: readonly Row[]
  cluster: string | null
  showCluster: boolean
  /** What may be said when nobody is in it: nothing before the first snapshot, nothing of now while the view is lost. */
  knows: 'nothing' | 'before' | 'now'
}

/** The worst, each with one exact sentence. It keeps its height when there are none, so that nothing jumps. */
export function AttentionStrip({ rows, cluster, showCluster, knows }: AttentionStripProps) {
  const alerts = useAttention(cluster)
  const isEmpty = (alerts ?? rows).length === 0
  const hidden = (at: number) => (at > 2 ? 'max-lg:hidden' : '')
  return (
    <section
      aria-label="Needs attention"
      className="mx-5 grid min-h-[92px] grid-cols-3 overflow-hidden rounded-md border border-line2 bg-s1 max-md:hidden lg:grid-cols-5"
    >
      {isEmpty && (
        <p className="col-span-full flex items-center gap-2 self-center px-[15px] text-t2">
          {knows === 'now' && <StatusMark compact status="healthy" />}
          {CALM[knows]}
        </p>
      )}
      {alerts?.map((alert, at) => (
        <AlertItem alert={alert} className={hidden(at)} key={alert.id} showCluster={showCluster} />
      ))}
      {alerts === null &&
        rows.map((row, at) => <RowItem className={hidden(at)} key={row.id} row={row} showCluster={showCluster} />)}
    </section>
  )
}

/** null in the past, and until every cluster has told its alerts. */
function useAttention(cluster: string | null): AlertBrief[] | null {
  const store = useLiveStore()
  const connection = useConnection()
  // A string, for it is compared: the lists are new with every frame.
  const read = () => {
    if (connection.state === 'past') return 'null'
    const views = [...store.views.values()].filter(({ info }) => cluster === null || info.name === cluster)
    return JSON.stringify(
      attentionItems(
        views.map(({ info }) => info.alerts),
        MOST,
      ),
    )
  }
  const text = useSyncExternalStore(store.subscribe, read, () => 'null')
  return useMemo(() => JSON.parse(text), [text])
}

interface ItemProps {
  className: string
  href: string
  mark: ReactNode
  detail: ReactNode
  name: string
  title: string
  /** Beside the name. */
  cluster: string | null
  words: string
}

function Item({ className, href, mark, detail, name, title, cluster, words }: ItemProps) {
  return (
    <Link
      className={`relative block min-w-0 border-line2 border-l py-[9px] pr-3 pl-[15px] first:border-l-0 last:border-r hover:bg-s2 focus-visible:-outline-offset-2 ${className}`}
      href={href}
      prefetch={false}
    >
      <span className="flex items-center gap-1.5">
        {mark}
        <span className="ml-auto shrink-0 truncate text-right font-medium text-sm text-t2">{detail}</span>
      </span>
      <span className="words mt-[3px] block truncate font-semibold" title={title}>
        {name}
        {cluster !== null && <span className="font-normal text-t2"> · {cluster}</span>}
      </span>
      <span className="words mt-px line-clamp-2 text-sm text-t2" title={words}>
        {words}
      </span>
    </Link>
  )
}

/** One that concerns no election leads to where all of them are. */
function AlertItem({ alert, className, showCluster }: { alert: AlertBrief; className: string; showCluster: boolean }) {
  const { cluster, ref, subject, since, sinceApproximate, summary, silenced, severity, stage } = alert
  const seen = useSeenCluster(cluster ?? '')
  const isLost = useConnection().state !== 'live'
  const isLive = !isLost && (ref === undefined || seen.freshness === 'live')
  const isQuiet = silenced || stage !== 'firing'
  const said = useSaid(alert)
  return (
    <Item
      className={`${edgeOfAlert(severity, isQuiet)} ${isLive ? '' : 'stale'} ${className}`}
      cluster={showCluster && cluster !== null && cluster !== subject ? cluster : null}
      detail={
        <>
          {silenced && 'silenced · '}
          {sinceApproximate && '≈ '}
          <Age short since={since} />
        </>
      }
      href={cluster !== null && ref !== undefined ? electionHref(cluster, ref) : '/alerts'}
      mark={<AlertMark alert={alert} isQuiet={silenced} />}
      name={subject}
      title={summary}
      words={isLive ? said : `Last seen: ${said}`}
    />
  )
}

/** As briefly as its row says it, while that has the status that is meant; else as it is told everywhere. */
function useSaid({ cluster, ref, rule, summary, detail }: AlertBrief): string {
  const store = useLiveStore()
  const seen = useSeenCluster(cluster ?? '')
  const election = useElection(cluster ?? '', ref ?? ('' as ElectionRef))
  const told = detail === '' ? `${summary}.` : detail
  if (election === undefined) return told
  const { state, view } = election
  const now = seen.frozenAt ?? instant(store.time.nowMs())
  const status = statusOf(state, { ...view.info, freshness: 'live' }, now)
  return status === glyphOf(rule) ? explain(state, status, seen, now) : told
}

function RowItem({ row, className, showCluster }: { row: Row; className: string; showCluster: boolean }) {
  const store = useLiveStore()
  const seen = useSeenCluster(row.cluster)
  const now = seen.frozenAt ?? instant(store.time.nowMs())
  const isLive = seen.freshness === 'live'
  return (
    <Item
      className={`${edgeOf(row.lastKnown)} ${isLive ? '' : 'stale'} ${className}`}
      cluster={showCluster ? row.cluster : null}
      detail={<StatusDetail state={row.state} status={row.lastKnown} />}
      href={electionHref(row.cluster, row.ref)}
      mark={<StatusMark status={row.lastKnown} />}
      name={row.name}
      title={row.state.prefix}
      words={`${isLive ? '' : 'Last seen: '}${explain(row.state, row.lastKnown, seen, now)}`}
    />
  )
}
