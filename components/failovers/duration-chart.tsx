'use client'
import { memo } from 'react'
import { brief, seconds } from '../../lib/shared/format.ts'
import type { FailoverSummaryShape } from '../live/failovers.ts'
import { type Bin, countTicks, type DurationFrame, durationBars, durationX, shownBins } from './duration-model.ts'

export const DURATION_PX = 272
const TOP_PX = 44
const BELOW_PX = 22

interface DurationChartProps {
  bins: readonly Bin[]
  quantiles: FailoverSummaryShape['quantiles']
  objective: FailoverSummaryShape['objective']
  width: number
}

/** How long nobody acted, of all failovers that could be timed; mass events striped. */
export const DurationChart = memo(function DurationChart(props: DurationChartProps) {
  const { quantiles, objective, width } = props
  const bins = shownBins(props.bins, objective.withinMs)
  const height = DURATION_PX - TOP_PX - BELOW_PX
  const frame = { left: 34, right: Math.max(34, width - 8), height }
  const ticks = countTicks(Math.max(0, ...bins.map(({ count }) => count)))
  const top = ticks.at(-1) ?? 1
  return (
    <svg aria-hidden="true" className="absolute inset-0 overflow-visible" height={DURATION_PX} width={width}>
      <g transform={`translate(0 ${TOP_PX})`}>
        {ticks.map((count) => (
          <g key={count} transform={`translate(0 ${height * (1 - count / top)})`}>
            <path d={`M${frame.left} 0H${frame.right}`} stroke="var(--line)" />
            <text fill="var(--t3)" fontSize="11" textAnchor="end" x={frame.left - 8} y="4">
              {count >= 10_000 ? `${count / 1_000}k` : count}
            </text>
          </g>
        ))}
        {durationBars(bins, top, frame).map(({ key, x, y, width: wide, height: tall, massHeight }) => (
          <g key={key}>
            <rect fill="var(--t2)" height={tall - massHeight} width={wide} x={x} y={y} />
            <rect fill="url(#p-mass)" height={massHeight} width={wide} x={x} y={height - massHeight} />
          </g>
        ))}
        <Limits bins={bins} frame={frame} objective={objective} quantiles={quantiles} />
        <DurationAxis bins={bins} frame={frame} />
      </g>
    </svg>
  )
})

type LimitsProps = Pick<DurationChartProps, 'quantiles' | 'objective'> & { bins: readonly Bin[]; frame: DurationFrame }

function Limits({ bins, frame, objective, quantiles }: LimitsProps) {
  const { p50Ms, p95Ms } = quantiles
  return (
    <>
      <Limit
        at={durationX(objective.withinMs, bins, frame)}
        colour="var(--warn)"
        dashes="6 4"
        height={frame.height}
        label={`objective ${objective.withinMs / 1_000} s`}
        rise={26}
        room={frame}
      />
      {p50Ms !== null && (
        <Limit
          at={durationX(p50Ms, bins, frame)}
          height={frame.height}
          label={`p50 ${seconds(p50Ms)}`}
          room={frame}
          side="before"
        />
      )}
      {p95Ms !== null && (
        <Limit at={durationX(p95Ms, bins, frame)} height={frame.height} label={`p95 ${seconds(p95Ms)}`} room={frame} />
      )}
    </>
  )
}

interface LimitProps {
  at: number
  label: string
  height: number
  room: DurationFrame
  side?: 'before' | 'after'
  colour?: string
  dashes?: string
  /** How far its label stands above the plot. */
  rise?: number
}

const LABEL_PX = 84

function Limit({ at, label, height, room, side = 'after', colour = 'var(--t1)', dashes, rise = 8 }: LimitProps) {
  const before = side === 'before' ? at - LABEL_PX > 0 : at + LABEL_PX > room.right
  return (
    <g>
      <path d={`M${at} ${-rise - 6}V${height}`} stroke={colour} strokeDasharray={dashes} strokeWidth="1.4" />
      <text
        fill={colour}
        fontSize="12"
        fontWeight="600"
        paintOrder="stroke"
        stroke="var(--bg)"
        strokeWidth="4"
        textAnchor={before ? 'end' : 'start'}
        x={before ? at - 4 : at + 4}
        y={-rise}
      >
        {label}
      </text>
    </g>
  )
}

const EVERY_PX = 56

function DurationAxis({ bins, frame }: { bins: readonly Bin[]; frame: DurationFrame }) {
  const each = (frame.right - frame.left) / Math.max(1, bins.length)
  const every = [1, 2, 5, 10].find((step) => step * each >= EVERY_PX) ?? 20
  const shown = bins.map((bin, at) => ({ bin, at })).filter(({ at }) => at % every === 0)
  return shown.map(({ bin, at }) => (
    <text
      fill="var(--t3)"
      fontSize="11"
      key={bin.fromMs}
      textAnchor="middle"
      x={frame.left + at * each}
      y={frame.height + 16}
    >
      {bin.fromMs === 0 ? '0 s' : `${brief(bin.fromMs).replace('.0', '')}${bin.toMs === null ? '+' : ''}`}
    </text>
  ))
}
