import { memo } from 'react'
import { LinePlot, type PlotBand, type PlotLine } from './line-plot.tsx'
import { PlotFrame } from './plot-frame.tsx'
import type { Shade } from './time-shade.tsx'
import { RTT_DOMAIN_MS, RTT_TICKS_MS, rttLabel, rttY } from './value-axis.ts'

export interface EndLabel {
  key: string
  text: string
  y: number
}

interface RttChartProps {
  shade: Shade
  width: number
  height: number
  lines: readonly PlotLine[]
  bands: readonly PlotBand[]
  /** Names of lines at their right end. */
  labels: readonly EndLabel[]
  /** Where renewals got no answer in time, in pixels. */
  missed: readonly number[]
  /** A third of the leader's TTL: a slower renewal is late. */
  dueMs: number | null
  dueLabel: string
}

/** Ticks at the top of the scale: without an answer a round trip has no end. */
const MISSED_PX = 9

const TICKS = (height: number) => RTT_TICKS_MS.map((ms) => ({ y: rttY(ms, height), label: rttLabel(ms) }))

/** Renewal round trips on a logarithmic scale: dashed bone the probe, solid the holder in its own colour. */
export const RttChart = memo(function RttChart(props: RttChartProps) {
  const { shade, width, height, lines, bands, labels, missed, dueMs, dueLabel } = props
  const { plot, span } = shade
  return (
    <div className="relative" style={{ height }}>
      <PlotFrame height={height} shade={shade} width={width} yTicks={TICKS(height)} />
      <LinePlot
        bands={bands}
        domain={[...RTT_DOMAIN_MS]}
        height={height}
        lines={lines}
        log
        plot={plot}
        span={span}
        width={width}
        yOf={(ms) => rttY(ms, height)}
      />
      <svg aria-hidden="true" className="absolute inset-0 overflow-visible" height={height} width={width}>
        {dueMs !== null && (
          <DueLine
            dueLabel={dueLabel}
            left={plot.left}
            right={plot.right}
            y={rttY(dueMs, height)}
            beyond={dueMs > RTT_DOMAIN_MS[1]}
          />
        )}
        {missed.map((x) => (
          <path d={`M${x} 1v${MISSED_PX}`} data-missed="" key={x} stroke="var(--crit)" strokeWidth="2" />
        ))}
        {labels.map(({ key, text, y }) => (
          <text fill="var(--t2)" fontSize="11" key={key} x={plot.right + 5} y={y + 4}>
            {text}
          </text>
        ))}
      </svg>
    </div>
  )
})

interface DueLineProps {
  y: number
  left: number
  right: number
  dueLabel: string
  /** It lies above the scale: words only. */
  beyond: boolean
}

function DueLine({ y, left, right, dueLabel, beyond }: DueLineProps) {
  return (
    <>
      {!beyond && <path d={`M${left} ${y}H${right}`} stroke="var(--warn)" strokeDasharray="7 4" strokeWidth="1.4" />}
      <text
        fill="var(--warn)"
        fontSize="11"
        paintOrder="stroke"
        stroke="var(--bg)"
        strokeWidth="4"
        x={left + 6}
        y={y < 16 ? y + 14 : y - 6}
      >
        {beyond ? `${dueLabel}, above this scale` : dueLabel}
      </text>
    </>
  )
}
