import { InlineMark } from '../charts/change-mark.tsx'
import type { ChangeKind } from '../charts/lane-geometry.ts'

const MARKS: readonly { kind: ChangeKind; word: string }[] = [
  { kind: 'handoff', word: 'handoff' },
  { kind: 'resigned', word: 'resigned' },
  { kind: 'failover', word: 'failover' },
  { kind: 'revoke', word: 'revoke' },
  { kind: 'kill', word: 'kill switch' },
]

/** What the marks above the lanes mean. */
export function ChartLegend() {
  return (
    <ul aria-label="Legend" className="ml-auto flex flex-wrap gap-x-3.5 gap-y-1 text-sm text-t2 max-sm:hidden">
      {MARKS.map(({ kind, word }) => (
        <li className="flex items-center gap-1.5" key={kind}>
          <InlineMark kind={kind} />
          {word}
        </li>
      ))}
      <li className="flex items-center gap-1.5">
        <span aria-hidden="true" className="hatch-gap h-3 w-3.5 border border-line2" />
        unobserved
      </li>
    </ul>
  )
}
