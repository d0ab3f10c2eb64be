import { leaderBoxes, type RaftSpan } from './condition-bands.ts'
import type { Plot, Span } from './time-axis.ts'

interface ConditionLaneProps {
  /** Ascending. */
  leaders: readonly RaftSpan[]
  span: Span
  plot: Plot
  height: number
}

/** Who was etcd raft leader when, as a lane inside an SVG; room between two boxes is time in which nobody was. */
export function ConditionLane({ leaders, span, plot, height }: ConditionLaneProps) {
  return (
    <g>
      {leaderBoxes(leaders, span, plot).map(({ x, width, label, several }) => (
        <g key={x}>
          <rect
            fill={several ? 'url(#p-gap)' : 'var(--s3)'}
            height={height - 1}
            rx="1"
            stroke="var(--ctl)"
            width={Math.max(1, width - 1)}
            x={x + 0.5}
            y="0.5"
          />
          {label !== '' && (
            <text fill="var(--t1)" fontSize="11" x={x + 7} y={height / 2 + 4}>
              {label}
            </text>
          )}
        </g>
      ))}
    </g>
  )
}
