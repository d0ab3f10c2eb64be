import { type Shade, TimeShade } from './time-shade.tsx'

export interface YTick {
  y: number
  label: string
}

interface PlotFrameProps {
  shade: Shade
  width: number
  height: number
  yTicks: readonly YTick[]
  children?: React.ReactNode
}

/** Grid, scale and unobserved time of one panel, behind its data. */
export function PlotFrame({ shade, width, height, yTicks, children }: PlotFrameProps) {
  const { left, right } = shade.plot
  return (
    <svg aria-hidden="true" className="absolute inset-0 overflow-visible" height={height} width={width}>
      <TimeShade height={height} shade={shade} top={0} />
      {children}
      {yTicks.map(({ y, label }) => (
        <g key={label}>
          <path d={`M${left} ${y}H${right}`} stroke="var(--line)" />
          <text fill="var(--t3)" fontSize="11" textAnchor="end" x={left - 8} y={y + 4}>
            {label}
          </text>
        </g>
      ))}
    </svg>
  )
}
