import { memo } from 'react'
import { type FailoverBar, type FailoverParts, failoverBars, type Part, totalMs } from './bars.ts'
import { PlotFrame } from './plot-frame.tsx'
import type { Shade } from './time-shade.tsx'
import { secondsLabel, secondsScale } from './value-axis.ts'

export const PART_COLOURS: Record<Part, string> = {
  detect: 'var(--t3)',
  refill: 'url(#p-refill)',
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
          <Bar bar={bar} ground={height} key={bar.key} />
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

const LEAST_WHISKER_PX = 2
const CAP_PX = 2.5

/** How much later the last renewal may have been. */
function Whisker({ bar: { x, width, errorPx }, ground }: { bar: FailoverBar; ground: number }) {
  const middle = x + width / 2
  const top = ground - errorPx
  const cap = width > 2 * CAP_PX ? `M${middle - CAP_PX} ${top}h${CAP_PX * 2}` : ''
  return <path d={`M${middle} ${ground}V${top}${cap}`} data-error="" fill="none" stroke="var(--bg)" strokeWidth="1.2" />
}

function Bar({ bar, ground }: { bar: FailoverBar; ground: number }) {
  return (
    <g>
      {bar.parts.map(({ part, y, height }) => (
        <rect fill={PART_COLOURS[part]} height={height} key={part} width={bar.width} x={bar.x} y={y} />
      ))}
      {bar.errorPx >= LEAST_WHISKER_PX && <Whisker bar={bar} ground={ground} />}
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
