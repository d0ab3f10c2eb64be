import type { BandBox } from './condition-bands.ts'
import { ConditionBands } from './condition-strip.tsx'
import type { Period } from './lane-geometry.ts'
import { clampedX, type Plot, type Span, type Tick } from './time-axis.ts'

export interface Shade {
  span: Span
  plot: Plot
  ticks: readonly Tick[]
  gaps: readonly Period[]
  /** Held by a kill switch; `open` while it is. */
  stops: readonly (Period & { open: boolean })[]
  /** Lost quorum, slow probes and alarms, in pixels. */
  bands: readonly BandBox[]
  /** Where the etcd raft leader changed, in pixels. */
  raftXs: readonly number[]
}

/** What every panel shows of time itself: grid, stops, unobserved stretches, and what etcd was like. */
export function TimeShade({ shade, top, height }: { shade: Shade; top: number; height: number }) {
  const { span, plot, ticks, gaps, stops, bands, raftXs } = shade
  return (
    <g transform={`translate(0 ${top})`}>
      {ticks.map(({ ms, x }) => (
        <path d={`M${x} 0V${height}`} key={ms} stroke="var(--line)" />
      ))}
      {stops.map((stop) => (
        <Stopped height={height} key={stop.fromMs} plot={plot} span={span} stop={stop} />
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
      <ConditionBands bands={bands} height={height} />
      {raftXs.map((x) => (
        <g key={x}>
          <rect fill="var(--info)" height={height} opacity=".2" width="8" x={x - 4} />
          <path d={`M${x} 0V${height}`} stroke="var(--t2)" strokeDasharray="1.5 2.5" />
        </g>
      ))}
    </g>
  )
}

interface StoppedProps {
  stop: Period & { open: boolean }
  span: Span
  plot: Plot
  height: number
}

/** Stripes between brackets; open on the right while it holds. */
function Stopped({ stop, span, plot, height }: StoppedProps) {
  if (stop.toMs < span.fromMs || stop.fromMs > span.toMs) return null
  const x = clampedX(span, plot, stop.fromMs)
  const end = clampedX(span, plot, stop.toMs)
  const width = Math.max(3, end - x)
  const left = stop.fromMs >= span.fromMs ? `M${x + 4} 0.7H${x}V${height - 0.7}H${x + 4}` : ''
  const right = stop.open || stop.toMs > span.toMs ? '' : `M${end - 4} 0.7H${end}V${height - 0.7}H${end - 4}`
  return (
    <g data-stopped={stop.open ? 'now' : 'then'}>
      <rect fill="url(#p-stop)" height={height} width={width} x={x} />
      <path d={left + right} fill="none" stroke="var(--crit)" strokeWidth="1.4" />
    </g>
  )
}
