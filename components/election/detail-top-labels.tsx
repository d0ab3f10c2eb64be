import { instant } from '../../lib/shared/clock.ts'
import { shortDuration } from '../../lib/shared/format.ts'
import type { Period } from '../charts/lane-geometry.ts'
import { clampedX, type Plot, type Span, xOf } from '../charts/time-axis.ts'

interface TopLabelsProps {
  gaps: readonly Period[]
  raftChanges: readonly number[]
  span: Span
  plot: Plot
  width: number
  /** Where the cursor's own label stands. */
  cursorX: number | null
}

interface Label {
  key: string
  text: string
  x: number
}

const LETTER_PX = 6
const CURSOR_PX = 34

/** Right ends at `x`; one that would touch another or the cursor's time is left out. */
function placed(labels: readonly Label[], cursorX: number | null): Label[] {
  const kept: Label[] = []
  for (const label of labels.toSorted((a, b) => b.x - a.x)) {
    const from = label.x - label.text.length * LETTER_PX
    const free = kept.every((other) => label.x + 8 < other.x - other.text.length * LETTER_PX)
    const clear = cursorX === null || from > cursorX + CURSOR_PX || label.x < cursorX - CURSOR_PX
    if (free && clear && from >= 0) kept.push(label)
  }
  return kept
}

/** Names above the panels: unobserved stretches and etcd raft leader changes. */
export function TopLabels({ gaps, raftChanges, span, plot, width, cursorX }: TopLabelsProps) {
  const raft = raftChanges
    .filter((ms) => ms >= span.fromMs && ms <= span.toMs)
    .map((ms) => ({ key: instant(ms), text: 'etcd raft leader changed', x: Math.min(width, xOf(span, plot, ms) + 60) }))
  const unseen = gaps.flatMap((gap) => {
    const from = Math.max(gap.fromMs, span.fromMs)
    const to = Math.min(gap.toMs, span.toMs)
    if (to <= from) return []
    const text = gap.fromMs <= 0 ? 'unobserved' : `unobserved ${shortDuration(gap.toMs - gap.fromMs)}`
    return [{ key: instant(from), text, x: Math.max(plot.left + 62, clampedX(span, plot, to)) }]
  })
  return (
    <svg aria-hidden="true" className="absolute top-0 left-0 overflow-visible" height="20" width={width}>
      {placed([...raft, ...unseen], cursorX).map(({ key, text, x }) => (
        <text fill="var(--t2)" fontSize="11" key={key} textAnchor="end" x={x} y="12">
          {text}
        </text>
      ))}
    </svg>
  )
}
