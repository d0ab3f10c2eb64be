import { memo, useMemo } from 'react'
import { brief, timeOfDay } from '../../lib/shared/format.ts'
import { bandBoxes, type EtcdConditions, markXs } from '../charts/condition-bands.ts'
import { ConditionLane } from '../charts/condition-lane.tsx'
import type { Period } from '../charts/lane-geometry.ts'
import { type Plot, type Span, timeTicks } from '../charts/time-axis.ts'
import { type Shade, TimeShade } from '../charts/time-shade.tsx'
import type { FailoverSummaryShape } from '../live/failovers.ts'
import { MassBox, PointMarks } from './timeline-marks.tsx'
import {
  durationTicks,
  durationY,
  type Item,
  type Mark,
  type Mass,
  type MassMark,
  marksOf,
  massMarksOf,
  type Point,
  type Scale,
  scaleOf,
  UNKNOWN_PX,
} from './timeline-model.ts'

/** Above the plot: the lane of etcd raft leaders. */
export const TOP_PX = 44
const AXIS_PX = 24
const LANE_PX = 17

export interface TimelineSizes {
  width: number
  plot: Plot
  height: number
  total: number
}

export function timelineSizes(width: number): TimelineSizes {
  const narrow = width < 520
  const height = narrow ? 220 : 336
  const left = narrow ? 44 : 58
  return {
    width,
    plot: { left, right: Math.max(left, width - (narrow ? 8 : 16)) },
    height,
    total: TOP_PX + height + UNKNOWN_PX + AXIS_PX,
  }
}

export interface TimelineInput {
  span: Span
  sizes: TimelineSizes
  nowMs: number
  points: readonly Point[]
  masses: readonly Mass[]
  objective: FailoverSummaryShape['objective']
  gaps: readonly Period[]
  stops: Shade['stops']
  etcd: EtcdConditions
}

export interface TimelineDrawing {
  scale: Scale
  marks: Mark[]
  massMarks: MassMark[]
  /** All of them in time, for keys and pointers. */
  items: Item[]
  /** Some stand in the lane of those whose time is not known. */
  isUnknown: boolean
}

export function useDrawing({ span, sizes, nowMs, points, masses }: TimelineInput): TimelineDrawing {
  const { plot, height } = sizes
  return useMemo(() => {
    const frame = { span, plot, height, nowMs }
    const scale = scaleOf(points, masses, nowMs)
    const marks = marksOf(points, scale, frame)
    const massMarks = massMarksOf(masses, scale, frame)
    const items = [...marks, ...massMarks].sort((a, b) => a.atMs - b.atMs)
    return { scale, marks, massMarks, items, isUnknown: items.some(({ y }) => y > height) }
  }, [span, plot, height, nowMs, points, masses])
}

interface TimelineProps {
  input: TimelineInput
  drawing: TimelineDrawing
}

/** Every change of leader: when, and how long nobody acted. */
export const Timeline = memo(function Timeline({ input, drawing }: TimelineProps) {
  const { span, sizes, etcd, objective } = input
  const { plot, height, width, total } = sizes
  const { scale } = drawing
  const xs = markXs(
    etcd.changes.map(({ ms }) => ms),
    span,
    plot,
  )
  const shade: Shade = {
    span,
    plot,
    ticks: timeTicks(span, plot),
    gaps: input.gaps,
    stops: input.stops,
    bands: bandBoxes(etcd.bands, span, plot),
    raftXs: xs,
  }
  const objectiveY = durationY(objective.withinMs, scale, height)
  return (
    <svg aria-hidden="true" className="absolute inset-0 overflow-visible" height={total} width={width}>
      <RaftLane etcd={etcd} plot={plot} span={span} />
      {xs.map((x) => (
        <path d={`M${x} ${LANE_PX + 8}V${TOP_PX}`} key={x} stroke="var(--t2)" strokeDasharray="1.5 2.5" />
      ))}
      <TimeShade height={height + UNKNOWN_PX} shade={shade} top={TOP_PX} />
      <g transform={`translate(0 ${TOP_PX})`}>
        <Grid height={height} plot={plot} scale={scale} />
        <path
          d={`M${plot.left} ${objectiveY}H${plot.right}`}
          stroke="var(--warn)"
          strokeDasharray="7 4"
          strokeWidth="1.4"
        />
        {drawing.isUnknown && (
          <text fill="var(--t3)" fontSize="11" x={plot.left + 6} y={height + UNKNOWN_PX - 6} {...HALO}>
            time not known
          </text>
        )}
        <MassNote drawing={drawing} plot={plot} />
        <PointMarks marks={drawing.marks} />
        {drawing.massMarks.map((mark) => (
          <MassBox key={mark.key} mark={mark} />
        ))}
        <text fill="var(--warn)" fontSize="11" x={plot.left + 6} y={objectiveY - 5} {...HALO}>
          objective: {objective.percent} % within {objective.withinMs / 1_000} s
        </text>
      </g>
      <Axis shade={shade} y={TOP_PX + height + UNKNOWN_PX} />
    </svg>
  )
})

const HALO = { paintOrder: 'stroke', stroke: 'var(--bg)', strokeWidth: 4 } as const

const NOTE_LETTER_PX = 6.9
/** Room between the note and the mark it belongs to. */
const NOTE_APART_PX = 40

/** The largest mass event in words, where there is room beside it. */
function MassNote({ drawing, plot }: { drawing: TimelineDrawing; plot: Plot }) {
  const mark = drawing.massMarks.toSorted((a, b) => b.elections - a.elections)[0]
  const [mass] = mark?.masses ?? []
  if (mark === undefined || mass === undefined || mark.masses.length > 1) return null
  const [moved = '', ...around] = mass.words.split(', ')
  const lines = [moved, `${timeOfDay(mass.from)} UTC${around.length === 0 ? '' : ` · ${around.join(', ')}`}`]
  const width = Math.max(...lines.map((line) => line.length)) * NOTE_LETTER_PX
  const x = mark.x - NOTE_APART_PX - width
  if (x < plot.left + 180) return null
  const y = Math.max(44, Math.min(mark.y - 36, mark.y))
  return (
    <g>
      <path
        d={`M${mark.x - 18} ${mark.y}H${mark.x - 30}V${y - 22}H${mark.x - NOTE_APART_PX}`}
        fill="none"
        stroke="var(--t1)"
      />
      <rect fill="var(--s2)" height="44" rx="4" stroke="var(--ctl)" width={width} x={x} y={y - 44} />
      <text fill="var(--t1)" fontSize="13" fontWeight="600" x={x + 12} y={y - 26}>
        {lines[0]}
      </text>
      <text fill="var(--t2)" fontSize="12" x={x + 12} y={y - 10}>
        {lines[1]}
      </text>
    </g>
  )
}

function RaftLane({ etcd, span, plot }: { etcd: EtcdConditions; span: Span; plot: Plot }) {
  return (
    <>
      <text fill="var(--t2)" fontSize="11" x="0" y="13">
        etcd raft
      </text>
      <text fill="var(--t2)" fontSize="11" x="0" y="25">
        leader
      </text>
      <g transform="translate(0 6)">
        <ConditionLane height={LANE_PX} leaders={etcd.leaders} plot={plot} span={span} />
      </g>
    </>
  )
}

function Grid({ scale, height, plot }: { scale: Scale; height: number; plot: Plot }) {
  return (
    <>
      {durationTicks(scale, height).map(({ ms, y }) => (
        <g key={ms}>
          <path d={`M${plot.left} ${y}H${plot.right}`} stroke="var(--line)" />
          <text fill="var(--t3)" fontSize="11" textAnchor="end" x={plot.left - 8} y={y + 4}>
            {tickLabel(ms)}
          </text>
        </g>
      ))}
    </>
  )
}

const tickLabel = (ms: number) => (ms < 60_000 ? brief(ms).replace('.0', '') : `${ms / 60_000} m`)

function Axis({ shade, y }: { shade: Shade; y: number }) {
  const { plot, ticks } = shade
  return (
    <g transform={`translate(0 ${y})`}>
      <path d={`M${plot.left} 0H${plot.right}`} stroke="var(--line2)" />
      {ticks.map(({ ms, x, label }) => (
        <text fill="var(--t3)" fontSize="11" key={ms} textAnchor="middle" x={x} y="16">
          {x < plot.left + 14 ? '' : label}
        </text>
      ))}
    </g>
  )
}
