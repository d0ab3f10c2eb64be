import { memo } from 'react'
import { type LaneSlot, laneColour } from '../election/lane-colours.ts'
import { ChangeMark } from './change-mark.tsx'
import {
  type Change,
  type LaneTerm,
  laneChanges,
  laneSegments,
  laneVacancies,
  type Segment,
  type Vacancy,
} from './lane-geometry.ts'
import { type Shade, TimeShade } from './time-shade.tsx'

export interface ChartLane {
  key: string
  label: string
  colour: LaneSlot | undefined
}

interface LaneChartProps {
  lanes: readonly ChartLane[]
  terms: readonly LaneTerm[]
  vacancies: readonly Vacancy[]
  shade: Shade
  width: number
  laneHeight: number
}

/** Room above the lanes for the marks of changes. */
export const MARKS_PX = 10

export function laneChartHeight(lanes: number, laneHeight: number): number {
  return MARKS_PX + Math.max(1, lanes) * laneHeight + 1
}

/** One lane per candidate, one segment per term, joined where leadership moved. */
export const LaneChart = memo(function LaneChart({
  lanes,
  terms,
  vacancies,
  shade,
  width,
  laneHeight,
}: LaneChartProps) {
  const { span, plot, gaps } = shade
  const height = Math.max(1, lanes.length) * laneHeight
  const middle = (lane: number) => lane * laneHeight + laneHeight / 2
  const segments = laneSegments(terms, gaps, span, plot)
  const changes = laneChanges(terms, span, plot)
  return (
    <svg aria-hidden="true" className="block overflow-visible" height={height + MARKS_PX + 1} width={width}>
      <g transform={`translate(0 ${MARKS_PX})`}>
        <TimeShade height={height} shade={{ ...shade, gaps: [], stops: [], bands: [], raftXs: [] }} top={0} />
        {lanes.map((lane, at) => (
          <LaneRow
            height={laneHeight}
            key={lane.key}
            lane={lane}
            plot={plot}
            striped={at % 2 === 0}
            y={at * laneHeight}
          />
        ))}
        <TimeShade height={height} shade={{ ...shade, ticks: [] }} top={0} />
        {laneVacancies(vacancies, span, plot).map(({ x, width: wide }) => (
          <rect fill="url(#p-vacancy)" height={height} key={x} width={wide} x={x} />
        ))}
        {segments.map((segment) => (
          <Bar key={segment.key} lane={lanes[segment.lane]} laneHeight={laneHeight} segment={segment} />
        ))}
        {changes.map((change) => (
          <Move change={change} key={change.key} middle={middle} />
        ))}
        <path d={`M${plot.left} 0H${plot.right}M${plot.left} ${height}H${plot.right}`} stroke="var(--line2)" />
      </g>
    </svg>
  )
})

interface LaneRowProps {
  lane: ChartLane
  y: number
  height: number
  plot: { left: number; right: number }
  striped: boolean
}

function LaneRow({ lane, y, height, plot, striped }: LaneRowProps) {
  const middle = y + height / 2
  return (
    <g>
      {striped && <rect fill="var(--s1)" height={height} width={plot.right - plot.left} x={plot.left} y={y} />}
      <path d={`M${plot.left} ${middle}H${plot.right}`} stroke="var(--line2)" />
      <rect fill={laneColour(lane.colour)} height="9" rx="2" width="9" x="0" y={middle - 4.5} />
      {lane.colour?.notched && <path d={`M0 ${middle + 4.5}l9-9`} stroke="var(--bg)" strokeWidth="2" />}
      <foreignObject height="18" width={Math.max(0, plot.left - 22)} x="15" y={middle - 9}>
        <div className="truncate text-sm text-t1 leading-[18px]" title={lane.label}>
          {lane.label}
        </div>
      </foreignObject>
    </g>
  )
}

function Bar({ segment, lane, laneHeight }: { segment: Segment; lane: ChartLane | undefined; laneHeight: number }) {
  const tall = laneHeight > 30 ? 19 : 13
  const y = segment.lane * laneHeight + (laneHeight - tall) / 2
  const radius = segment.width > 5 ? 2 : 0
  // A hairline of background keeps two terms of one lane apart.
  const width = Math.max(1, segment.width - (segment.width > 6 ? 1 : 0))
  return (
    <g>
      <rect fill={laneColour(lane?.colour)} height={tall} rx={radius} width={width} x={segment.x} y={y} />
      {lane?.colour?.notched && (
        <rect fill="url(#p-notch)" height={tall} rx={radius} width={width} x={segment.x} y={y} />
      )}
      {segment.label !== '' && (
        <text fill="var(--ink-on-lead)" fontSize="11" fontWeight="600" x={segment.x + 6} y={y + tall / 2 + 4}>
          {segment.label}
        </text>
      )}
    </g>
  )
}

function Move({ change, middle }: { change: Change; middle: (lane: number) => number }) {
  const { from, to, x, toX } = change
  return (
    <g>
      {to !== null && to !== from && (
        <path d={`M${x} ${middle(from)}H${toX}V${middle(to)}`} fill="none" stroke="var(--t1)" strokeWidth="1.4" />
      )}
      <g transform={`translate(${x} -4.5)`}>
        <ChangeMark kind={change.kind} />
      </g>
    </g>
  )
}
