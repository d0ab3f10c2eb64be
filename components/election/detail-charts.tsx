'use client'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { ExportLink } from '../incident/export-link.tsx'
import { useConditions } from '../live/conditions.ts'
import { useRenewals } from '../live/queries.ts'
import { type ChartsProps, useChartInput } from './detail-chart-input.ts'
import { type PageHistory, useSpanHistory } from './detail-history.ts'
import { ChartLegend } from './detail-legend.tsx'
import { DetailPeriod } from './detail-period.tsx'
import { figuresRange, pageOf, spanOf } from './detail-range.ts'
import { RangePicker } from './detail-range-picker.tsx'
import { useView, useViewKeys } from './detail-view.ts'
import { useWidth } from './detail-width.ts'

const SLOWEST_RETRY_MS = 5_000

/** Code that does not come now (Tenure restarts, the network is away) is asked for until it does: the page goes on without it. */
async function loadPanels() {
  for (let waitMs = 500; ; waitMs = Math.min(SLOWEST_RETRY_MS, waitMs * 2)) {
    try {
      return (await import('./detail-panels.tsx')).Panels
    } catch {
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
}

const Panels = dynamic(loadPanels, { ssr: false })

/** Four panels on one time axis, and the choice of that time. */
export function DetailCharts(props: ChartsProps) {
  const { cluster, state, history, now } = props
  const controls = useView(now)
  const { view } = controls
  const span = spanOf(view, now)
  useViewKeys(controls, span)
  const [frame, width] = useWidth()
  const page = pageOf(view, span)
  const refetchMs = view.end === null ? view.range.refetchMs : false
  const shownHistory = useSpanHistory({ cluster: cluster.name, ref: state.ref, ...page }, history)
  const { data, error } = useRenewals({ cluster: cluster.name, ref: state.ref, ...page }, refetchMs)
  const conditions = useConditions({ cluster: cluster.name, from: page.from, to: page.to }, refetchMs).data?.conditions
  const input = useChartInput({ ...props, history: shownHistory }, { view, span, width, renewals: data, conditions })
  const [cursor, setCursor] = useState<number | null>(null)
  return (
    <section aria-label="Charts" className="min-w-0 px-4 pt-2.5 pb-4 sm:pl-5">
      <div className="mb-1.5 flex flex-wrap items-center gap-2.5">
        <RangePicker controls={controls} span={span} />
        <ExportLink cluster={cluster.name} isLive={view.end === null} refs={[state.ref]} span={span} />
        <ChartLegend />
      </div>
      <div className="relative" ref={frame} style={{ height: input.sizes.total }}>
        {width > 0 && <Panels cursor={cursor} input={input} onBrush={controls.setSpan} onCursor={setCursor} />}
      </div>
      <ChartNotes error={error?.message} history={shownHistory} historyError={cluster.historyError} />
      <DetailPeriod
        cluster={cluster.name}
        range={figuresRange(view, now)}
        reference={state.ref}
        version={`${state.lastOrdinal} ${state.ended.at(-1)?.endedBy?.cause ?? ''}`}
        view={view}
      />
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
