import { InlineMark } from '../charts/change-mark.tsx'
import { BAND_WORDS, type BandKind } from '../charts/condition-bands.ts'
import { ConditionSwatch } from '../charts/condition-strip.tsx'
import type { ChangeKind } from '../charts/lane-geometry.ts'

const MARKS: readonly { kind: ChangeKind; word: string }[] = [
  { kind: 'handoff', word: 'handoff' },
  { kind: 'resigned', word: 'resigned' },
  { kind: 'failover', word: 'failover' },
  { kind: 'revoke', word: 'revoke' },
  { kind: 'kill', word: 'kill switch' },
]

const BANDS = Object.entries(BAND_WORDS) as [BandKind, string][]

/** What the marks above the lanes mean, and the bands that all panels share. */
export function ChartLegend() {
  return (
    <ul
      aria-label="Legend"
      className="ml-auto flex flex-wrap justify-end gap-x-3 gap-y-1 text-sm text-t2 max-sm:hidden"
    >
      {MARKS.map(({ kind, word }) => (
        <li className="flex items-center gap-1" key={kind}>
          <InlineMark kind={kind} />
          {word}
        </li>
      ))}
      <li className="flex items-center gap-1">
        <span aria-hidden="true" className="hatch-gap h-3 w-3.5 border border-line2" />
        unobserved
      </li>
      <li className="flex items-center gap-1">
        <svg aria-hidden="true" className="shrink-0" height="12" width="9">
          <rect fill="var(--info)" height="12" opacity=".2" width="8" />
          <path d="M4 0V12" stroke="var(--t2)" strokeDasharray="1.5 2.5" />
        </svg>
        etcd raft leader
      </li>
      {BANDS.map(([kind, words]) => (
        <li className="flex items-center gap-1" key={kind}>
          <ConditionSwatch kind={kind} />
          {words}
        </li>
      ))}
    </ul>
  )
}
