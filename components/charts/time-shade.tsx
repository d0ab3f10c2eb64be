import type { Period } from './lane-geometry.ts'
import { clampedX, type Plot, type Span, type Tick, xOf } from './time-axis.ts'

export interface Shade {
  span: Span
  plot: Plot
  ticks: readonly Tick[]
  gaps: readonly Period[]
  /** etcd raft leader changes, milliseconds. */
  raftChanges: readonly number[]
}

/** What every panel shows of time itself: grid, unobserved stretches and etcd raft leader changes. */
export function TimeShade({ shade, top, height }: { shade: Shade; top: number; height: number }) {
  const { span, plot, ticks, gaps, raftChanges } = shade
  return (
    <g transform={`translate(0 ${top})`}>
      {ticks.map(({ ms, x }) => (
        <path d={`M${x} 0V${height}`} key={ms} stroke="var(--line)" />
      ))}
      {gaps.map((gap) => {
        const x = clampedX(span, plot, gap.fromMs)
        const width = clampedX(span, plot, gap.toMs) - x
        if (width <= 0) return null
        const seen = Math.max(2, width)
        return (
          <g key={gap.fromMs}>
            <rect fill="var(--bg)" height={height} width={seen} x={x} />
            <rect
              fill="url(#p-gap)"
              height={height}
              stroke="var(--hatch-gap)"
              strokeDasharray="2 3"
              width={seen}
              x={x}
            />
          </g>
        )
      })}
      {raftChanges.map((ms) => {
        if (ms < span.fromMs || ms > span.toMs) return null
        const x = xOf(span, plot, ms)
        return (
          <g key={ms}>
            <rect fill="var(--info)" height={height} opacity=".2" width="8" x={x - 4} />
            <path d={`M${x} 0V${height}`} stroke="var(--t2)" strokeDasharray="1.5 2.5" />
          </g>
        )
      })}
    </g>
  )
}
