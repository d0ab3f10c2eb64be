import { instant } from '../../lib/shared/clock.ts'
import { shortDuration } from '../../lib/shared/format.ts'
import type { EtcdConditions } from '../charts/condition-bands.ts'
import type { Period } from '../charts/lane-geometry.ts'
import { clampedX, type Plot, type Span, xOf } from '../charts/time-axis.ts'

interface TopLabelsProps {
  gaps: readonly Period[]
  etcd: EtcdConditions
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

/** Where a label of a moment ends: its middle is over it. */
const centred = (x: number, text: string, width: number) => Math.min(width, x + (text.length * LETTER_PX) / 2)

function etcdLabels({ bands, changes }: EtcdConditions, { span, plot, width }: TopLabelsProps): Label[] {
  const moments = changes
    .filter(({ ms }) => ms >= span.fromMs && ms <= span.toMs)
    .map(({ ms, words }) => ({ key: `raft ${ms}`, text: words, x: centred(xOf(span, plot, ms), words, width) }))
  const stretches = bands
    .filter(({ fromMs, toMs }) => toMs >= span.fromMs && fromMs <= span.toMs)
    .map(({ fromMs, toMs, what, subject }) => {
      const words = `${what} ${subject}`.trim()
      const middle = (clampedX(span, plot, fromMs) + clampedX(span, plot, toMs)) / 2
      return { key: `${words} ${fromMs}`, text: words, x: centred(middle, words, width) }
    })
  return [...moments, ...stretches]
}

/** Names above the panels: unobserved stretches, etcd raft leader changes, and what was wrong with etcd. */
export function TopLabels(props: TopLabelsProps) {
  const { gaps, etcd, span, plot, width, cursorX } = props
  const unseen = gaps.flatMap((gap) => {
    const from = Math.max(gap.fromMs, span.fromMs)
    const to = Math.min(gap.toMs, span.toMs)
    if (to <= from) return []
    const text = gap.fromMs <= 0 ? 'unobserved' : `unobserved ${shortDuration(gap.toMs - gap.fromMs)}`
    return [{ key: instant(from), text, x: Math.max(plot.left + 62, clampedX(span, plot, to)) }]
  })
  return (
    <svg aria-hidden="true" className="absolute top-0 left-0 overflow-visible" height="20" width={width}>
      {placed([...etcdLabels(etcd, props), ...unseen], cursorX).map(({ key, text, x }) => (
        <text fill="var(--t2)" fontSize="11" key={key} textAnchor="end" x={x} y="12">
          {text}
        </text>
      ))}
    </svg>
  )
}
