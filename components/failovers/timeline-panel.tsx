'use client'
import { useMemo, useState } from 'react'
import { type Instant, msOf } from '../../lib/shared/clock.ts'
import { ChartMenu } from '../charts/chart-menu.tsx'
import { etcdConditions } from '../charts/condition-bands.ts'
import { useWidth } from '../election/detail-width.ts'
import type { ConditionsShape } from '../live/conditions.ts'
import type { FailoverSummaryShape } from '../live/failovers.ts'
import { AsTable } from './panel.tsx'
import { Timeline, type TimelineInput, timelineSizes, useDrawing } from './timeline.tsx'
import { TimelineLayer } from './timeline-layer.tsx'
import { TimelineLegend } from './timeline-legend.tsx'
import type { Item } from './timeline-model.ts'
import { timelineTable } from './timeline-table.ts'
import { itemWords, timelineSummary } from './timeline-words.ts'

interface PanelProps {
  cluster: string
  summary: FailoverSummaryShape | undefined
  conditions: ConditionsShape | undefined
  raftLeaderChanges: readonly Instant[]
  span: { fromMs: number; toMs: number }
  live: boolean
  now: Instant
  onOpen: (item: Item) => void
  onTable: () => void
}

const NONE: readonly never[] = []
const NO_ROWS = { columns: [], rows: [] }
const NO_OBJECTIVE = { percent: 95, withinMs: 12_000 }

function useInput(props: PanelProps, width: number): TimelineInput {
  const { summary, conditions, raftLeaderChanges, live, now } = props
  const { fromMs, toMs } = props.span
  const endMs = live ? Math.min(toMs, msOf(now)) : toMs
  const raftText = raftLeaderChanges.join(' ')
  const span = useMemo(() => ({ fromMs, toMs }), [fromMs, toMs])
  const sizes = useMemo(() => timelineSizes(width), [width])
  const points = summary?.points ?? NONE
  const masses = summary?.masses.events ?? NONE
  // Only what has not ended grows with every second.
  const isGrowing = points.some(({ open }) => open) || masses.some(({ open }) => open > 0)
  const nowMs = isGrowing ? Math.floor(endMs / 1_000) * 1_000 : toMs
  const { percent, withinMs } = summary?.objective ?? NO_OBJECTIVE
  const shade = useMemo(() => {
    const { gaps, stops: held } = conditions ?? { gaps: NONE, stops: NONE }
    // A stop of one election says nothing of the others.
    const ofAll = held.filter(({ scopeBase64, match }) => scopeBase64 === '' && match === 'prefix')
    return {
      gaps: gaps.map(({ from, to }) => ({ fromMs: msOf(from), toMs: msOf(to) })),
      stops: ofAll.map(({ from, to }) => ({
        fromMs: msOf(from),
        toMs: to === null ? toMs : msOf(to),
        open: to === null,
      })),
    }
  }, [conditions, toMs])
  const etcd = useMemo(
    () => etcdConditions(conditions?.conditions ?? NONE, raftText === '' ? NONE : raftText.split(' '), toMs),
    [conditions, raftText, toMs],
  )
  return useMemo(
    () => ({ span, sizes, nowMs, points, masses, objective: { percent, withinMs }, etcd, ...shade }),
    [span, sizes, nowMs, points, masses, percent, withinMs, etcd, shade],
  )
}

/** All changes of leader on one time axis, with what etcd was like above them. */
export function TimelinePanel(props: PanelProps) {
  const { cluster, summary, conditions, span, now, onOpen, onTable } = props
  const [frame, width] = useWidth()
  const [chosenKey, setChosenKey] = useState<string | null>(null)
  const input = useInput(props, width)
  const drawing = useDrawing(input)
  const chosen = drawing.items.find(({ key }) => key === chosenKey) ?? null
  const words = chosen === null || summary === undefined ? null : itemWords(chosen, summary.elections, now)
  const spoken =
    words === null ? (summary === undefined ? '' : timelineSummary(summary, span)) : Object.values(words).join(', ')
  return (
    <section aria-label="Timeline" className="border-line border-b px-5 pb-2 max-sm:px-4">
      <div className="flex h-7 items-center gap-3 text-sm max-sm:h-10">
        {words === null ? (
          <TimelineLegend />
        ) : (
          <p className="min-w-0 truncate text-t2">
            {words.when} <b className="words text-t1">{words.what}</b> {words.rest}
          </p>
        )}
        <span className="ml-auto flex shrink-0 items-center gap-1.5">
          <AsTable on={false} onChange={onTable} what="Changes" />
          <ChartMenu
            className="relative"
            span={span}
            subject={cluster}
            table={() => (summary === undefined ? NO_ROWS : timelineTable(summary, conditions?.gaps ?? NONE))}
            title="Changes of leader"
          />
        </span>
      </div>
      <div className="relative" data-chart="" ref={frame} style={{ height: input.sizes.total }}>
        {width > 0 && (
          <>
            <Timeline drawing={drawing} input={input} />
            <TimelineLayer
              chosen={chosen}
              items={drawing.items}
              onChoose={(item) => setChosenKey(item?.key ?? null)}
              onOpen={onOpen}
              sizes={input.sizes}
              spoken={spoken}
            />
          </>
        )}
      </div>
    </section>
  )
}
