'use client'
import { useState } from 'react'
import { blockerOf, competitors, leaderOf } from '../../lib/election/queue.ts'
import { kindOf, sharedIdentities } from '../../lib/election/status.ts'
import type { Candidate, ElectionState } from '../../lib/election/types.ts'
import { count } from '../../lib/shared/format.ts'
import type { Frozen } from './detail-frozen.ts'
import { identityText } from './detail-identity.ts'
import { QueueRow, type QueueRowData } from './detail-queue-row.tsx'
import { LongQueue, QueueTable } from './detail-queue-table.tsx'
import { Absent, DetailSection } from './detail-section.tsx'
import type { LaneSlot } from './lane-colours.ts'

const FIRST = 50

interface QueueProps {
  state: ElectionState
  frozen: Frozen | null
  colourOf: (candidate: Candidate) => LaneSlot | undefined
}

function rowsOf({ state, colourOf }: QueueProps, most: number): QueueRowData[] {
  const shared = kindOf(state) === 'mutex' ? new Set<string>() : sharedIdentities(state.candidates)
  const leader = leaderOf(state.candidates)
  const blocker = blockerOf(state.candidates)
  let position = 0
  return state.candidates.slice(0, most).map((candidate) => {
    const competes = !candidate.nested && candidate.held === undefined
    if (competes) position += 1
    return {
      candidate,
      position: competes ? position : null,
      namesake: !candidate.nested && shared.has(candidate.identity),
      leads: candidate === leader,
      blocks: candidate === blocker,
      colour: candidate.nested ? undefined : colourOf(candidate),
    }
  })
}

/** Everyone in the queue, in the order in which they will lead. */
export function DetailQueue(props: QueueProps) {
  const { state, frozen } = props
  const [all, setAll] = useState(false)
  const many = state.candidates.length
  const long = many > FIRST
  const rows = rowsOf(props, all ? many : FIRST)
  const total = many.toLocaleString('en-US')
  const note = state.layout === 'single-key' ? 'one key, no queue' : 'in queue order'
  const toggle = (
    <button aria-expanded={all} className="link" onClick={() => setAll(!all)} type="button">
      {all ? `First ${FIRST} only` : `Show all ${total}`}
    </button>
  )
  return (
    <DetailSection
      action={long ? toggle : undefined}
      note={long && !all ? `first ${FIRST} of ${total}` : note}
      title="Candidates"
    >
      <Namesakes state={state} />
      {rows.length === 0 && <Absent>No key lies under this prefix.</Absent>}
      {rows.length > 0 && long && all && <LongQueue frozen={frozen} rows={rows} />}
      {rows.length > 0 && !(long && all) && (
        <QueueTable rows={many}>
          {rows.map((row, at) => (
            <QueueRow frozen={frozen} index={at + 2} key={row.candidate.keyBase64} row={row} />
          ))}
        </QueueTable>
      )}
    </DetailSection>
  )
}

function Namesakes({ state }: { state: ElectionState }) {
  if (kindOf(state) === 'mutex') return null
  const all = competitors(state.candidates)
  return [...sharedIdentities(state.candidates)].slice(0, 3).map((identity) => {
    const many = all.filter((candidate) => candidate.identity === identity).length
    return (
      <p className="edge edge-warn relative mb-1.5 py-0.5 pl-3 text-sm text-warn" key={identity}>
        Identity <b className="break-all">{identityText(identity)}</b> used by {count(many, 'candidate')}: told apart by
        lease and key.
      </p>
    )
  })
}
