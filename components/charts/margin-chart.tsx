import { memo } from 'react'
import { LinePlot, type PlotLine } from './line-plot.tsx'
import { PlotFrame } from './plot-frame.tsx'
import type { Shade } from './time-shade.tsx'
import { MARGIN_TICKS, THIN_PERCENT } from './value-axis.ts'

interface MarginChartProps {
  shade: Shade
  width: number
  height: number
  lines: readonly PlotLine[]
  /** In place of lines, when nothing was measured. */
  absent: string | null
}

const yOf = (percent: number, height: number) => height * (1 - percent / 100)
const TICKS = (height: number) => MARGIN_TICKS.map((percent) => ({ y: yOf(percent, height), label: `${percent} %` }))

/** Time left on the leader's lease at the worst moment of each bucket, in per cent of its TTL. */
export const MarginChart = memo(function MarginChart({ shade, width, height, lines, absent }: MarginChartProps) {
  const { plot, span } = shade
  const thinY = yOf(THIN_PERCENT, height)
  const roomy = plot.right - plot.left > 420
  return (
    <div className="relative" style={{ height }}>
      <PlotFrame height={height} shade={shade} width={width} yTicks={TICKS(height)}>
        <rect fill="var(--tint-warn)" height={height - thinY} width={plot.right - plot.left} x={plot.left} y={thinY} />
        <text
          fill="var(--warn)"
          fontSize="11"
          paintOrder="stroke"
          stroke="var(--bg)"
          strokeWidth="3"
          x={plot.left + 6}
          y={height - 6}
        >
          {roomy ? 'below 33 %: one more missed renewal loses the lease' : 'below 33 %: at risk'}
        </text>
        {absent !== null && (
          <text
            fill="var(--t2)"
            fontSize="12"
            paintOrder="stroke"
            stroke="var(--bg)"
            strokeWidth="4"
            textAnchor="middle"
            x={(plot.left + plot.right) / 2}
            y={height / 2 - 6}
          >
            {absent}
          </text>
        )}
      </PlotFrame>
      {lines.length > 0 && (
        <LinePlot
          domain={[0, 100]}
          height={height}
          lines={lines}
          plot={plot}
          span={span}
          width={width}
          yOf={(percent) => yOf(percent, height)}
        />
      )}
    </div>
  )
})
