'use client'
import { useRouter } from 'next/navigation'
import { useCallback, useRef, useState } from 'react'
import { type Instant, instant, msOf } from '../../lib/shared/clock.ts'
import { momentHref } from '../audit/moment-href.ts'
import { HOUR_RANGE, type Range, shifted, spanOf, stepRange, upToMoment } from '../election/detail-range.ts'
import { Waiting } from '../election/list-states.tsx'
import { useAddressParams } from '../election/use-address-params.ts'
import { useConditions } from '../live/conditions.ts'
import { type FailoverSummaryShape, useFailovers } from '../live/failovers.ts'
import { useCluster, usePastAt, useServerNow } from '../live/use-live.ts'
import { RetryButtons } from '../ui/retry-buttons.tsx'
import { useChosenCluster } from '../ui/use-chosen-cluster.ts'
import { useShortcuts } from '../ui/use-shortcuts.ts'
import { AllTable } from './all-table.tsx'
import { CauseTable } from './cause-table.tsx'
import { DurationPanel } from './duration-panel.tsx'
import { FailoverFilters } from './failover-filters.tsx'
import {
  type FailoverParams,
  filtersOf,
  isFiltered,
  readFailoverParams,
  refetchMsOf,
  writeFailoverParams,
} from './failover-params.ts'
import { failoverSentence } from './failover-sentence.ts'
import { momentWords } from './failover-words.ts'
import { LedTable } from './led-table.tsx'
import { MostFailovers } from './most-failovers.tsx'
import { NewestList } from './newest-list.tsx'
import { type Item, isMassMark } from './timeline-model.ts'
import { TimelinePanel } from './timeline-panel.tsx'

const ADDRESS = { read: readFailoverParams, write: writeFailoverParams }
const LED_FIRST = 20
const LED_ALL = 1_000
const LED_ALL_EVERY_MS = 60_000

/** What happened: every change of leader of a cluster on one page. */
export function FailoversPage() {
  const now = useServerNow(1)
  const { chosen, names } = useChosenCluster()
  const cluster = chosen ?? names[0]
  if (now === null || cluster === undefined) return <Waiting />
  return <OfCluster cluster={cluster} isNamed={chosen === null} now={now} />
}

interface OfClusterProps {
  cluster: string
  /** Nobody chose it: it must be said which one it is. */
  isNamed: boolean
  now: Instant
}

function OfCluster({ cluster, isNamed, now }: OfClusterProps) {
  const [asked, setParams] = useAddressParams(ADDRESS)
  const pastAt = usePastAt()
  // The end of a range is exclusive, and what happened at the very moment has happened.
  const params = upToMoment(asked, pastAt === null ? null : instant(msOf(pastAt) + 1))
  const field = useRef<HTMLInputElement>(null)
  const [allLed, setAllLed] = useState(false)
  const router = useRouter()
  const span = spanOf(params, now)
  const live = params.end === null
  const refetchMs = live ? refetchMsOf(params.range) : false
  const filters = filtersOf(params, cluster, span)
  const { data: summary, error, refetch } = useFailovers({ ...filters, elections: LED_FIRST }, refetchMs)
  const showAll = useCallback(() => setAllLed(true), [])
  // Large, and slow to change: asked for apart, and seldom.
  const led = useFailovers(allLed ? { ...filters, elections: LED_ALL } : null, live && LED_ALL_EVERY_MS).data
  const controls = {
    view: params,
    setRange: (range: Range) => setParams({ range }),
    shift: (by: 1 | -1) => setParams(shifted(params, by, now)),
    toggleLive: () => pastAt === null && setParams({ end: live ? instant(span.toMs) : null }),
  }
  useShortcuts({
    '/': () => field.current?.focus(),
    '[': () => controls.setRange(stepRange(params.range, -1)),
    ']': () => controls.setRange(stepRange(params.range, 1)),
    '{': () => controls.shift(-1),
    '}': () => controls.shift(1),
    l: () => !live && controls.toggleLive(),
  })
  const onOpen = (item: Item) => {
    const href = hrefOf(item, summary, { cluster, now })
    if (href !== null) router.push(href)
    else setParams(closer(item))
  }
  return (
    <div className="pb-8">
      <Sentence cluster={isNamed ? cluster : null} now={now} params={params} summary={summary} />
      <FailoverFilters
        cluster={cluster}
        controls={controls}
        field={field}
        onChange={setParams}
        params={params}
        span={span}
      />
      {error !== null && (
        <Trouble isShowing={summary !== undefined} message={error.message} onRetry={() => void refetch()} />
      )}
      {params.all ? (
        <AllTable filters={filters} now={now} onCharts={() => setParams({ all: false })} refetchMs={refetchMs} />
      ) : (
        <>
          <OfTime
            cluster={cluster}
            live={live}
            now={now}
            onOpen={onOpen}
            onTable={() => setParams({ all: true })}
            refetchMs={refetchMs}
            span={span}
            summary={summary}
          />
          <div className="grid lg:grid-cols-[400fr_490fr_430fr] lg:divide-x lg:divide-line max-lg:divide-y max-lg:divide-line">
            <DurationPanel cluster={cluster} span={span} summary={summary} />
            <div className="min-w-0">
              <CauseTable summary={summary} />
              <MostFailovers onPick={(text) => setParams({ text })} summary={summary} />
            </div>
            <NewestList filters={filters} now={now} onAll={() => setParams({ all: true })} summary={summary} />
          </div>
          <LedTable cluster={cluster} onMore={allLed ? null : showAll} summary={(allLed && led) || summary} />
        </>
      )}
    </div>
  )
}

type OfTimeProps = Omit<Parameters<typeof TimelinePanel>[0], 'conditions' | 'raftLeaderChanges'> & {
  refetchMs: number | false
}

function OfTime({ refetchMs, ...rest }: OfTimeProps) {
  const { cluster } = rest
  const { fromMs, toMs } = rest.span
  const range = { from: instant(fromMs), to: instant(toMs) }
  const { data } = useConditions({ cluster, ...range }, refetchMs)
  const info = useCluster(cluster)
  return <TimelinePanel conditions={data} raftLeaderChanges={info?.raftLeaderChanges ?? []} {...rest} />
}

interface SentenceProps {
  cluster: string | null
  params: FailoverParams
  summary: FailoverSummaryShape | undefined
  now: Instant
}

function Sentence({ cluster, params, summary, now }: SentenceProps) {
  const upTo = params.end === null ? '' : ` up to ${momentWords(params.end, now)}`
  const within = `${params.range.label}${upTo}${cluster === null ? '' : ` in ${cluster}`}`
  const parts = summary === undefined ? [{ text: '–' }] : failoverSentence(summary, within, isFiltered(params))
  return (
    <h1 className="figures px-5 pt-[15px] pb-2 font-display text-2xl text-t2 max-sm:px-4">
      {parts.map(({ text, tone }) =>
        tone === undefined ? (
          <span key={text}>{text}</span>
        ) : (
          <b className={tone === 'warn' ? 'text-warn' : 'text-t1'} key={text}>
            {text}
          </b>
        ),
      )}
    </h1>
  )
}

function hrefOf(
  item: Item,
  summary: FailoverSummaryShape | undefined,
  { cluster, now }: { cluster: string; now: Instant },
): string | null {
  if (isMassMark(item) || item.point.election === undefined) return null
  const election = summary?.elections[item.point.election]
  return election?.isKnown ? momentHref(cluster, election.ref, item.point.at, now) : null
}

/** The hour around what a mark of many stands for. */
function closer(item: Item): Partial<FailoverParams> {
  return { range: HOUR_RANGE, end: instant(item.atMs + HOUR_RANGE.ms / 2) }
}

interface TroubleProps {
  message: string
  isShowing: boolean
  onRetry: () => void
}

function Trouble({ message, isShowing, onRetry }: TroubleProps) {
  return (
    <div
      className="edge edge-warn relative mx-5 my-2 rounded-sm bg-tint-warn py-2.5 pr-3 pl-4 max-sm:mx-4"
      role="alert"
    >
      <p>
        <b className="text-warn">History cannot be read.</b> {isShowing && 'What is shown is as it was before.'}
      </p>
      <p className="bytes wrap-anywhere mt-1 text-t2">{message}</p>
      <RetryButtons message={message} onRetry={onRetry} />
    </div>
  )
}
