'use client'
import { useRef } from 'react'
import type { Cluster } from '../../lib/election/types.ts'
import { useConnection, useLiveStore } from '../live/use-live.ts'
import { useMedia } from '../ui/use-media.ts'
import { useShortcuts } from '../ui/use-shortcuts.ts'
import { frozenAt, seenFreshness } from './as-seen.ts'
import { AttentionStrip } from './attention-strip.tsx'
import { CardList } from './card-list.tsx'
import { ElectionTable } from './election-table.tsx'
import { FilterBar } from './filter-bar.tsx'
import { incidentWords } from './incident-words.ts'
import type { Row } from './list-model.ts'
import type { SortKey } from './list-order.ts'
import type { ListParams } from './list-params.ts'
import { listSentence, unseenSentence } from './list-sentence.ts'
import { NoElections, NothingFound } from './list-states.tsx'
import { LoadingTable } from './loading-table.tsx'
import { RibbonLegend } from './ribbon-legend.tsx'
import { useElectionList } from './use-election-list.ts'
import { useListParams } from './use-list-params.ts'
import { useNewestIncident } from './use-newest-incident.ts'
import { useRowsReady } from './use-rows.ts'

/** The first page: is it all right, what is not, and every election. */
export function ElectionList() {
  const [params, setParams] = useListParams()
  const field = useRef<HTMLInputElement>(null)
  const ready = useRowsReady()
  const connection = useConnection()
  const clusters = useScope(params.cluster)
  const { counts, worst, held } = useElectionList(params)
  const showCluster = clusters.length > 1
  const incident = useNewestIncident(params.cluster)
  const empty = ready && counts.all === 0
  const live = clusters.some((info) => seenFreshness(info, connection) === 'live')
  useShortcuts({ '/': () => field.current?.focus(), r: held.apply })
  return (
    <>
      <Lede counts={counts} ready={ready} scope={params.cluster} />
      {!empty && (
        <AttentionStrip
          cluster={params.cluster}
          knows={!ready ? 'nothing' : live ? 'now' : 'before'}
          rows={worst}
          showCluster={showCluster}
        />
      )}
      <FilterBar
        counts={ready ? counts : null}
        field={field}
        filter={params.filter}
        incident={incident && incidentWords(incident.incident, incident.around)}
        moved={held.moved}
        onApply={held.apply}
        onFilter={(filter) => setParams({ filter })}
        onLeave={() => field.current?.blur()}
        onQuery={(query) => setParams({ query })}
        query={params.query}
      />
      {!ready && <LoadingTable sort={params.sort} />}
      {empty && <NoElections clusters={clusters} known={clusters.every((info) => info.asOf !== null)} />}
      {ready && !empty && (
        <>
          <div {...held.holders}>
            <Rows params={params} rows={held.rows} setParams={setParams} showCluster={showCluster} />
          </div>
          <RibbonLegend shown={held.rows.length} total={counts.all} />
        </>
      )}
    </>
  )
}

interface RowsProps {
  rows: readonly Row[]
  params: ListParams
  setParams: (change: Partial<ListParams>) => void
  showCluster: boolean
}

function Rows({ rows, params, setParams, showCluster }: RowsProps) {
  const wide = useMedia('(width >= 900px)', true)
  const { query, sort } = params
  if (rows.length === 0) {
    return <NothingFound onReset={() => setParams({ filter: 'all', query: '' })} what={whatWasAsked(query)} />
  }
  const onSort = (key: SortKey) => setParams({ sort: { key, reversed: sort.key === key && !sort.reversed } })
  return wide ? (
    <ElectionTable onSort={onSort} rows={rows} showCluster={showCluster} sort={sort} />
  ) : (
    <CardList rows={rows} showCluster={showCluster} />
  )
}

function whatWasAsked(query: string): string {
  return query === '' ? 'No election has this status now.' : `No prefix, leader or candidate here has “${query}”.`
}

/** The clusters the list is about; read again whenever the rows or the connection change. */
function useScope(name: string | null): Cluster[] {
  const store = useLiveStore()
  useConnection()
  return [...store.views.values()].map((view) => view.info).filter((info) => name === null || info.name === name)
}

function Lede({
  counts,
  ready,
  scope,
}: {
  counts: Parameters<typeof listSentence>[0]
  ready: boolean
  scope: string | null
}) {
  const connection = useConnection()
  const clusters = useScope(scope)
  const lost = clusters.filter((info) => seenFreshness(info, connection) !== 'live')
  const [first] = lost
  const who = connection.state === 'reconnecting' ? 'Tenure’s server' : lost.map(({ name }) => name).join(', ')
  const since = first === undefined ? null : frozenAt(first, connection)
  const all = lost.length === clusters.length
  const unseen = connection.state === 'past' && all ? first?.reason : undefined
  const sentence =
    unseen === undefined
      ? listSentence(counts, first === undefined ? null : { who, since, all })
      : unseenSentence(counts, unseen)
  return (
    <h1 className="words px-5 pt-[15px] pb-3 font-display text-2xl text-t2 tracking-[-0.004em] max-sm:px-4 max-sm:pt-[13px] max-sm:pb-[11px] max-sm:text-xl">
      <b className="text-t1">{ready ? sentence.strong : 'Elections.'}</b>{' '}
      {ready ? sentence.rest : 'Waiting for what etcd has.'}
    </h1>
  )
}
