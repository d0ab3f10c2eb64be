import type { ReactNode } from 'react'
import type { HandoffPreflight } from '../../lib/election/actions.ts'
import { groupDigits } from '../../lib/shared/decimal.ts'
import { timeOfDay } from '../../lib/shared/format.ts'
import { LaneSquare } from '../election/leader-tag.tsx'
import type { ColourOf } from './dialog-parts.tsx'
import { Label } from './dialog-parts.tsx'
import { nameOf } from './handoff-words.ts'

/** What was read in etcd: the action is sent on condition of it. */
export function HandoffSeen({ seen, colourOf }: { seen: HandoffPreflight; colourOf: ColourOf }) {
  const { leader, term, serverTime } = seen
  return (
    <section aria-label="What you saw">
      <Label hint="sent as a condition: if any of it has changed in etcd, nothing happens">What you saw</Label>
      <dl className="flex flex-wrap rounded-md border border-line2 bg-bg">
        <Fact name="Leader">
          <LaneSquare slot={colourOf(leader)} /> <b className="words break-all">{nameOf(leader)}</b>
        </Fact>
        <Fact name="Term">
          <b>{term.ordinal === null ? '–' : `#${term.ordinal}`}</b>
        </Fact>
        <Fact name="Token">
          <b className="bytes">{groupDigits(term.token)}</b>
        </Fact>
        <Fact name="Session lease">
          <span className="bytes break-all">{leader.lease ?? 'none'}</span>
        </Fact>
        <Fact name="Seen at">
          <b>{timeOfDay(serverTime)}</b>
        </Fact>
      </dl>
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0 border-line2 px-3.5 pt-1.5 pb-2 not-first:border-l max-sm:w-1/2 max-sm:not-first:border-l-0">
      <dt className="text-sm text-t2">{name}</dt>
      <dd className="flex items-center gap-1.5">{children}</dd>
    </div>
  )
}
