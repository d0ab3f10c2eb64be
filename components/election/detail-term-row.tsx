'use client'
import { Check, NotebookPen } from 'lucide-react'
import { useId, useState } from 'react'
import type { TermShape } from '../../lib/election/describe.ts'
import { surroundingWords } from '../../lib/election/surroundings.ts'
import { isPending } from '../../lib/election/terms.ts'
import type { Cluster, EndedBy } from '../../lib/election/types.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { groupDigits } from '../../lib/shared/decimal.ts'
import { InlineMark } from '../charts/change-mark.tsx'
import { useSurroundings } from '../live/conditions.ts'
import { usePastAt } from '../live/use-live.ts'
import { AsOfLink } from './as-of-link.tsx'
import { changeKind } from './detail-chart-model.ts'
import { TermNotes } from './detail-term-notes.tsx'
import { anatomyWords, termDuration, termGap, termSpan } from './detail-term-words.ts'
import type { LaneSlot } from './lane-colours.ts'
import { LeaderTag } from './leader-tag.tsx'

interface TermRowProps {
  cluster: Cluster
  reference: string
  term: TermShape
  now: Instant
  colour: LaneSlot | undefined
}

const CELL = 'h-7 truncate border-line border-t pr-1 text-sm align-middle'

/** One term; its cause opens the evidence. The current one has not ended: a dash. */
export function TermRow({ cluster, reference, term, now, colour }: TermRowProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const current = term.to === null
  const isPast = usePastAt() !== null
  return (
    <tbody className={current ? 'font-semibold' : ''}>
      <tr>
        <td className={CELL}>#{term.ordinal}</td>
        <td className={CELL}>
          <LeaderTag identity={term.leader.identity} slot={colour} />
        </td>
        <td className={`${CELL} max-sm:hidden`} title={`${term.from} → ${term.to ?? 'now'}`}>
          <AsOfLink at={term.from}>{termSpan(term, now, isPast ? 'then' : 'now')}</AsOfLink>
        </td>
        <td className={CELL}>{termDuration(term, now)}</td>
        <td className={`${CELL} max-sm:hidden`}>{termGap(term)}</td>
        <td className={`${CELL} font-normal`}>
          {term.endedBy === null ? (
            <span className="text-t2">–</span>
          ) : (
            <span className="flex items-center gap-1.5">
              <Cause endedBy={term.endedBy} id={id} onToggle={() => setOpen(!open)} open={open} />
              <SaidMarks term={term} />
            </span>
          )}
        </td>
      </tr>
      {open && (
        <tr id={id}>
          <td className="pb-2 text-sm text-t2" colSpan={6}>
            <Evidence cluster={cluster.name} now={now} term={term} />
            <TermNotes cluster={cluster} now={now} reference={reference} term={term} />
          </td>
        </tr>
      )}
    </tbody>
  )
}

/** That somebody acknowledged it or wrote about it. */
function SaidMarks({ term: { acknowledged, note } }: { term: TermShape }) {
  return (
    <span className="ml-auto flex shrink-0 gap-1 text-t2">
      {acknowledged != null && (
        <Check aria-label={`acknowledged by ${acknowledged.by}`} role="img" size={12} strokeWidth={2.2} />
      )}
      {note != null && <NotebookPen aria-label="has a note" role="img" size={12} />}
    </span>
  )
}

interface CauseProps {
  endedBy: EndedBy
  open: boolean
  id: string
  onToggle: () => void
}

function Cause({ endedBy, open, id, onToggle }: CauseProps) {
  const words = endedBy.by === undefined ? endedBy.cause : `${endedBy.cause} by ${endedBy.by}`
  return (
    <button
      aria-controls={open ? id : undefined}
      aria-expanded={open}
      className="flex max-w-full items-center gap-1 text-left text-xs leading-[13px] hover:underline max-sm:min-h-10"
      onClick={onToggle}
      title={endedBy.evidence}
      type="button"
    >
      <InlineMark kind={changeKind(endedBy)} />
      <span className="whitespace-normal">{isPending(endedBy) ? `${words}, checking` : words}</span>
    </button>
  )
}

function Evidence({ cluster, term, now }: { cluster: string; term: TermShape; now: Instant }) {
  const around = useSurroundings(cluster, term.to)
  const etcd = around ? surroundingWords(around) : null
  return (
    <>
      <p>
        Evidence: {term.endedBy?.evidence}
        {etcd !== null && <b className="font-medium text-t1">; {etcd}</b>}.
      </p>
      <p className="hidden max-sm:block">
        {termSpan(term, now)}, gap before {termGap(term)}
      </p>
      {term.anatomy !== undefined && <p>It began after {anatomyWords(term.anatomy)}.</p>}
      <p className="bytes break-all">
        token {groupDigits(term.token)}
        {term.epoch > 0 && ` · epoch ${term.epoch}`} · lease {term.leader.lease ?? 'none'} · {term.leader.key}
      </p>
    </>
  )
}
