import { InlinePointMark } from './timeline-marks.tsx'

const LEGEND = [
  { word: 'lease lost', point: { cause: 'lease lost', kind: 'failover' } },
  { word: 'not ended', point: { cause: 'lease lost', kind: 'failover', open: true } },
  { word: 'resigned', point: { cause: 'resigned or removed', kind: 'planned' } },
  { word: 'handoff', point: { cause: 'handed off', kind: 'planned' } },
  { word: 'revoke', point: { cause: 'revoked', kind: 'planned' } },
  { word: 'kill switch', point: { cause: 'kill switch', kind: 'planned' } },
  { word: 'unobserved', point: { cause: 'unobserved', kind: 'unobserved' } },
] as const

/** What the marks mean. It gives way to what the chosen one says. */
export function TimelineLegend() {
  return (
    <ul aria-label="Legend" className="flex gap-x-3.5 overflow-hidden whitespace-nowrap text-sm text-t2 max-sm:hidden">
      {LEGEND.map(({ word, point }) => (
        <li className="flex items-center gap-1.5" key={word}>
          <InlinePointMark point={point} />
          {word}
        </li>
      ))}
      <li className="flex items-center gap-1.5">
        <svg aria-hidden="true" height="12" width="14">
          <rect fill="var(--info)" height="12" rx="2" width="14" />
        </svg>
        mass event
      </li>
    </ul>
  )
}
