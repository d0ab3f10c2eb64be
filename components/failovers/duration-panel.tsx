'use client'
import { useState } from 'react'
import { count } from '../../lib/shared/format.ts'
import { ChartMenu } from '../charts/chart-menu.tsx'
import { useWidth } from '../election/detail-width.ts'
import type { FailoverSummaryShape } from '../live/failovers.ts'
import { DURATION_PX, DurationChart } from './duration-chart.tsx'
import { durationRows } from './duration-model.ts'
import { AsTable, Panel, RowsTable } from './panel.tsx'

interface DurationPanelProps {
  cluster: string
  span: { fromMs: number; toMs: number }
  summary: FailoverSummaryShape | undefined
}

export function DurationPanel({ cluster, span, summary }: DurationPanelProps) {
  const [asTable, setAsTable] = useState(false)
  const [frame, width] = useWidth()
  return (
    <Panel
      action={
        <span className="flex items-center gap-1.5">
          <AsTable on={asTable} onChange={setAsTable} what="Duration" />
          <ChartMenu
            className="relative"
            span={span}
            subject={cluster}
            table={() => {
              const [columns = [], ...rows] = durationRows(summary?.distribution ?? [])
              return { columns, rows }
            }}
            title="Duration of failovers"
          />
        </span>
      }
      note={noteOf(summary)}
      title="Duration"
    >
      {asTable && summary !== undefined ? (
        <RowsTable label="Duration" rows={durationRows(summary.distribution)} />
      ) : (
        <div className="relative" data-chart="" ref={frame} style={{ height: DURATION_PX }}>
          {width > 0 && summary !== undefined && summary.quantiles.measured > 0 && (
            <DurationChart
              bins={summary.distribution}
              objective={summary.objective}
              quantiles={summary.quantiles}
              width={width}
            />
          )}
          {summary?.quantiles.measured === 0 && (
            <p className="pt-24 text-center text-sm text-t2">No failover that could be timed.</p>
          )}
        </div>
      )}
      <p className="mt-1 min-h-8 text-sm text-t2">{summary !== undefined && belowWords(summary)}</p>
    </Panel>
  )
}

function noteOf(summary: FailoverSummaryShape | undefined): string {
  if (summary === undefined || summary.quantiles.measured === 0) return ''
  const { measured, withinObjective } = summary.quantiles
  const percent = Math.floor((withinObjective / measured) * 100)
  return `${withinObjective.toLocaleString('en-US')} of ${measured.toLocaleString('en-US')} within ${summary.objective.withinMs / 1_000} s (${percent} %)`
}

/** What the bars cannot show. */
export function belowWords({ quantiles, totals, masses }: FailoverSummaryShape): string {
  const untimed = totals.failovers - totals.open - quantiles.measured
  return [
    `Time without a leader that acts${masses.count > 0 ? '; mass events striped' : ''}.`,
    ...(quantiles.partly > 0
      ? [`${count(quantiles.partly, 'lacks', 'lack')} detect or takeover, and took longer than shown.`]
      : []),
    ...(untimed > 0 ? [`${count(untimed, 'failover')} could not be timed.`] : []),
  ].join(' ')
}
