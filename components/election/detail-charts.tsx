'use client'
import dynamic from 'next/dynamic'
import { useMemo, useState } from 'react'
import { leaderOf } from '../../lib/election/queue.ts'
import type { Cluster, ElectionState } from '../../lib/election/types.ts'
import { type Instant, msOf } from '../../lib/shared/clock.ts'
import { timeTicks } from '../charts/time-axis.ts'
import type { Shade } from '../charts/time-shade.tsx'
import { useRenewals } from '../live/queries.ts'
import { chartModel } from './detail-chart-model.ts'
import type { Frozen } from './detail-frozen.ts'
import type { PageHistory } from './detail-history.ts'
import { ChartLegend } from './detail-legend.tsx'
import { type PanelInput, panelSizes } from './detail-panel-input.ts'
import { pageOf, spanOf } from './detail-range.ts'
import { RangePicker } from './detail-range-picker.tsx'
import { useView, useViewKeys } from './detail-view.ts'
import { useWidth } from './detail-width.ts'

const Panels = dynamic(() => import('./detail-panels.tsx').then((found) => found.Panels), { ssr: false })

interface ChartsProps {
  cluster: Cluster
  state: ElectionState
  history: PageHistory
  now: Instant
  frozen: Frozen | null
}

const NONE: readonly never[] = []

/** Four panels on one time axis, and the choice of that time. */
export function DetailCharts({ cluster, state, history, now, frozen }: ChartsProps) {
  const controls = useView()
  const { view } = controls
  const span = spanOf(view, now)
  useViewKeys(controls, span)
  const [frame, width] = useWidth()
  const page = pageOf(view, span)
  const { data, error } = useRenewals(
    { cluster: cluster.name, ref: state.ref, ...page },
    view.end === null ? view.range.refetchMs : false,
  )
  const { fromMs, toMs } = span
  const endMs = view.end === null ? toMs : Math.min(toMs, msOf(now))
  const { terms, gaps } = history
  const { revision, term, ended, leaderlessSince } = state
  // Look-ups of leases change the state many times a second and nothing that is drawn here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parts of the state and of `frozen` that are drawn
  const model = useMemo(
    () => chartModel({ state, terms, gaps, frozen, endMs }),
    [revision, term, ended, leaderlessSince, terms, gaps, frozen?.at, frozen?.why, endMs],
  )
  const labels = model.lanes.map(({ label }) => label)
  const sizes = panelSizes(width, labels)
  // Each heartbeat brings the list anew; as text it differs only when it does.
  const raftText = cluster.raftLeaderChanges.join(' ')
  const raftChanges = useMemo(() => (raftText === '' ? NONE : raftText.split(' ').map(msOf)), [raftText])
  const shade: Shade = useMemo(() => {
    const axis = { fromMs, toMs }
    const plot = { left: sizes.left, right: sizes.right }
    return { span: axis, plot, ticks: timeTicks(axis, plot), gaps: model.gaps, raftChanges }
  }, [fromMs, toMs, sizes.left, sizes.right, model, raftChanges])
  const leader = leaderOf(state.candidates)
  const ttlMs = leader?.ttl?.grantedMs ?? null
  const input: PanelInput = {
    model,
    shade,
    sizes,
    width,
    series: data?.series ?? NONE,
    bucketMs: data?.bucketMs ?? view.range.bucketMs,
    ttlMs,
    leased: leader?.lease !== null,
    sampling: cluster.sampling,
    nowMs: msOf(now),
    live: view.end === null,
  }
  const [cursor, setCursor] = useState<number | null>(null)
  return (
    <section aria-label="Charts" className="min-w-0 px-4 pt-2.5 pb-4 sm:pl-5">
      <div className="mb-1.5 flex flex-wrap items-center gap-2.5">
        <RangePicker onLive={() => controls.toggleLive(span)} onRange={controls.setRange} span={span} view={view} />
        <ChartLegend />
      </div>
      <div className="relative" ref={frame} style={{ height: sizes.total }}>
        {width > 0 && <Panels cursor={cursor} input={input} onCursor={setCursor} />}
      </div>
      <ChartNotes error={error?.message} history={history} historyError={cluster.historyError} />
    </section>
  )
}

interface NotesProps {
  history: PageHistory
  error: string | undefined
  historyError: string | undefined
}

/** What keeps the charts from being complete. */
function ChartNotes({ history, error, historyError }: NotesProps) {
  return (
    <div className="text-sm text-t2">
      {history.more && <p>Only the newest {history.terms.length} terms are drawn; earlier ones are not.</p>}
      {historyError !== undefined && <p className="text-warn">History is not being written: {historyError}</p>}
      {error !== undefined && (
        <p className="text-warn" role="alert">
          Renewals could not be read: <span className="bytes break-all">{error}</span>
        </p>
      )}
    </div>
  )
}
