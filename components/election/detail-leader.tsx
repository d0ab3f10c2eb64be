'use client'
import { leaderOf } from '../../lib/election/queue.ts'
import type { Candidate, ElectionState, Term } from '../../lib/election/types.ts'
import { groupDigits } from '../../lib/shared/decimal.ts'
import { seconds, timeOfDay } from '../../lib/shared/format.ts'
import { type Frozen, provenNow } from './detail-frozen.ts'
import { identityText } from './detail-identity.ts'
import { LeaseFuse } from './detail-lease-fuse.tsx'
import { useCountdownNow } from './detail-motion.ts'
import { WholeValue } from './detail-value.tsx'
import { type LaneSlot, laneColour } from './lane-colours.ts'
import { LaneSquare } from './leader-tag.tsx'
import { RENEWAL_DUE, remainingOf } from './remaining.ts'

interface LeaderProps {
  cluster: string
  state: ElectionState
  frozen: Frozen | null
  colour: LaneSlot | undefined
}

/** Who leads, on which lease, and how much of it is left. */
export function DetailLeader({ cluster, state, frozen, colour }: LeaderProps) {
  const leader = leaderOf(state.candidates)
  if (leader === null) return <Nobody state={state} />
  return (
    <section aria-label="Leader" className="border-line border-b pt-3 pb-2.5">
      <div className="flex items-baseline gap-x-2.5">
        <LaneSquare size={12} slot={colour} />
        <h2 className="min-w-0 break-words font-display font-semibold text-xl">{identityText(leader.identity)}</h2>
        <span className="shrink-0 text-t2 max-sm:hidden">{state.term && `Leader of term #${state.term.ordinal}`}</span>
      </div>
      <LeaseCountdown colour={colour} frozen={frozen} leader={leader} />
      <LeaderFacts leader={leader} term={state.term} />
      <WholeValue candidate={leader} cluster={cluster} key={leader.keyBase64} reference={state.ref} />
    </section>
  )
}

function Nobody({ state }: { state: ElectionState }) {
  const since = state.leaderlessSince
  return (
    <section aria-label="Leader" className="border-line border-b pt-3 pb-3">
      <h2 className="font-display font-semibold text-xl">Nobody leads</h2>
      <p className="text-sm text-t2">
        {since === null ? 'No leader was seen.' : `Seat free since ${timeOfDay(since)} UTC.`} No lease to count down.
      </p>
    </section>
  )
}

function LeaseCountdown({
  leader,
  frozen,
  colour,
}: {
  leader: Candidate
  frozen: Frozen | null
  colour?: LaneSlot | undefined
}) {
  const now = useCountdownNow()
  const left = remainingOf(leader, now === null ? null : provenNow(frozen, now))
  const measured = left.kind === 'left'
  const fraction = measured ? left.leftMs / left.grantedMs : 0
  const dueMs = measured ? left.leftMs - left.grantedMs * RENEWAL_DUE : 0
  return (
    <div className="mt-1 min-h-[84px]">
      <p className="flex items-baseline justify-end gap-2 text-t2" role="timer">
        {measured ? (
          <>
            <span className="sr-only">Lease: </span>
            <b
              className={`font-display text-3xl ${left.atRisk ? 'text-crit' : frozen === null ? 'text-t1' : 'text-t2'}`}
            >
              {left.text}
            </b>
            {left.of} left{frozen !== null && ', frozen'}
          </>
        ) : (
          <b className={`text-lg leading-8 ${left.kind === 'none' ? 'text-crit' : 'text-t2'}`}>{left.text}</b>
        )}
      </p>
      <LeaseFuse
        colour={left.kind === 'left' && left.atRisk ? 'var(--crit)' : laneColour(colour)}
        fraction={fraction}
        frozen={frozen !== null}
        label={measured ? `${left.text} ${left.of} left` : left.text}
      />
      {measured && <RenewalLine dueMs={dueMs} frozen={frozen} grantedMs={left.grantedMs} leftMs={left.leftMs} />}
    </div>
  )
}

interface RenewalLineProps {
  leftMs: number
  grantedMs: number
  dueMs: number
  frozen: Frozen | null
}

const DUE_SLACK_MS = 1_000

/** Look-ups give whole seconds, so a renewal is called late only past that second. */
function RenewalLine({ leftMs, grantedMs, dueMs, frozen }: RenewalLineProps) {
  const due =
    frozen !== null
      ? 'not counting: view is stale'
      : dueMs > 0
        ? `renewal due in ${seconds(dueMs)}`
        : dueMs > -DUE_SLACK_MS
          ? 'renewal due'
          : `renewal late by ${seconds(-dueMs)}`
  return (
    <p className="relative flex justify-between gap-3 text-sm text-t2">
      <span>renewed {seconds(grantedMs - leftMs)} ago</span>
      <b className={dueMs <= -DUE_SLACK_MS && frozen === null ? 'text-warn' : 'text-t1'}>{due}</b>
      <span>full {Math.round(grantedMs / 1000)} s</span>
    </p>
  )
}

function LeaderFacts({ leader, term }: { leader: Candidate; term: Term | null }) {
  return (
    <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-sm text-t2">
      {term !== null && <Fact name="Token" value={groupDigits(term.token)} />}
      <Fact name="Lease" value={leader.lease ?? 'none'} />
      <Fact
        name="Revisions"
        value={`created ${groupDigits(leader.createRevision)}, modified ${groupDigits(leader.modRevision)}`}
      />
      <Fact name="Key" value={leader.key} />
    </dl>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-t3">{name}</dt>
      <dd className="bytes min-w-0 break-all text-t2">{value}</dd>
    </>
  )
}
