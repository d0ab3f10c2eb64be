import { memo } from 'react'
import { type FailoverBar, type FailoverParts, failoverBars, type Part, totalMs } from './bars.ts'
import { PlotFrame } from './plot-frame.tsx'
import type { Shade } from './time-shade.tsx'
import { secondsLabel, secondsScale } from './value-axis.ts'

export const PART_COLOURS: Record<Part, string> = {
  detect: 'var(--t3)',
  vacancy: 'var(--crit)',
  takeover: 'var(--t1)',
}

interface FailoverChartProps {
  shade: Shade
  width: number
  height: number
  failovers: readonly FailoverParts[]
}

/** One bar for every change of leader: how long until the new one acted, and what that time was made of. */
export const FailoverChart = memo(function FailoverChart({ shade, width, height, failovers }: FailoverChartProps) {
  const { plot, span } = shade
  const inside = failovers.filter(({ atMs }) => atMs >= span.fromMs && atMs <= span.toMs)
  const { topS, ticks } = secondsScale(Math.max(0, ...inside.map(totalMs)))
  const bars = failoverBars(inside, { span, plot, height, topS, width })
  const yTicks = ticks.map((s) => ({ y: height * (1 - s / topS), label: secondsLabel(s) }))
  return (
    <div className="relative" style={{ height }}>
      <PlotFrame height={height} shade={shade} width={width} yTicks={yTicks}>
        {bars.map((bar) => (
          <Bar bar={bar} key={bar.key} />
        ))}
        {bars.length === 0 && (
          <text
            fill="var(--t2)"
            fontSize="12"
            paintOrder="stroke"
            stroke="var(--bg)"
            strokeWidth="4"
            textAnchor="middle"
            x={(plot.left + plot.right) / 2}
            y={height / 2}
          >
            no change of leader in this time
          </text>
        )}
      </PlotFrame>
    </div>
  )
})

function Bar({ bar }: { bar: FailoverBar }) {
  return (
    <g>
      {bar.parts.map(({ part, y, height }) => (
        <rect fill={PART_COLOURS[part]} height={height} key={part} width={bar.width} x={bar.x} y={y} />
      ))}
      {bar.label !== '' && (
        <text
          fill="var(--t2)"
          fontSize="11"
          paintOrder="stroke"
          stroke="var(--bg)"
          strokeWidth="3"
          textAnchor={bar.labelEnd ? 'end' : 'start'}
          x={bar.labelX}
          y={bar.top + 8}
        >
          {bar.label}
        </text>
      )}
    </g>
  )
}
