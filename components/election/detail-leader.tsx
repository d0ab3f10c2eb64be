'use client'
import { heldHeadOf, leaderOf } from '../../lib/election/queue.ts'
import type { Candidate, ElectionState, Term } from '../../lib/election/types.ts'
import { groupDigits } from '../../lib/shared/decimal.ts'
import { duration, seconds, timeOfDay } from '../../lib/shared/format.ts'
import { type Frozen, provenNow } from './detail-frozen.ts'
import { identityText } from './detail-identity.ts'
import { LeaseFuse } from './detail-lease-fuse.tsx'
import { useCountdownNow } from './detail-motion.ts'
import { WholeValue } from './detail-value.tsx'
import { type LaneSlot, laneColour } from './lane-colours.ts'
import { LaneSquare } from './leader-tag.tsx'
import { RENEWAL_DUE, type Remaining } from './remaining.ts'
import { useRemaining } from './use-remaining.ts'

interface LeaderProps {
  cluster: string
  state: ElectionState
  frozen: Frozen | null
  colour: LaneSlot | undefined
}

/** Who leads, on which lease, and how much of it is left. */
export function DetailLeader({ cluster, state, frozen, colour }: LeaderProps) {
  const leader = leaderOf(state.candidates)
  if (heldHeadOf(state.candidates) !== null) return <Held />
  if (leader === null) return <Nobody state={state} />
  return (
    <section aria-label="Leader" className="border-line border-b pt-3 pb-2.5">
      <LeaseCountdown colour={colour} frozen={frozen} leader={leader} term={state.term} />
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
        {since === null ? 'No leader was seen.' : `No leader since ${timeOfDay(since)} UTC.`} No lease to count down.
      </p>
    </section>
  )
}

function Held() {
  return (
    <section aria-label="Leader" className="border-line border-b pt-3 pb-3">
      <h2 className="font-display font-semibold text-xl">Tenure holds the seat</h2>
      <p className="text-sm text-t2">
        By a key without a lease at the head of the queue. A former leader may act until it notices.
      </p>
    </section>
  )
}

interface CountdownProps {
  leader: Candidate
  term: Term | null
  frozen: Frozen | null
  colour: LaneSlot | undefined
}

function LeaseCountdown({ leader, term, frozen, colour }: CountdownProps) {
  const now = useCountdownNow()
  const left = useRemaining(leader, now === null ? null : provenNow(frozen, now))
  const measured = left.kind === 'left'
  const atRisk = measured && left.atRisk
  return (
    <>
      <div className="flex flex-wrap items-baseline gap-x-2.5">
        <LaneSquare size={12} slot={colour} />
        <h2 className="words wrap-anywhere min-w-0 font-display font-semibold text-xl">
          {identityText(leader.identity)}
        </h2>
        <span className="shrink-0 text-t2 max-sm:hidden">{term !== null && `Leader of term #${term.ordinal}`}</span>
        <p className="ml-auto flex items-baseline gap-2 text-t2">
          <Countdown frozen={frozen !== null} left={left} />
        </p>
      </div>
      <div className="mt-1.5 mb-px">
        <LeaseFuse
          colour={atRisk ? 'var(--crit)' : laneColour(colour)}
          fraction={measured ? left.leftMs / left.grantedMs : 0}
          frozen={frozen !== null}
          label={measured ? `Lease: ${left.text} ${left.of} left` : `Lease: ${left.text}`}
        />
      </div>
      <RenewalLine frozen={frozen !== null} left={left} />
    </>
  )
}

function Countdown({ left, frozen }: { left: Remaining; frozen: boolean }) {
  if (left.kind !== 'left') {
    return <b className={`leading-8 ${left.kind === 'none' ? 'text-crit' : 'text-t2'}`}>{left.text}</b>
  }
  return (
    <>
      <b className={`font-display text-3xl ${left.atRisk ? 'text-crit' : frozen ? 'text-t2' : 'text-t1'}`}>
        {left.text}
      </b>
      {left.of} left{frozen && ', frozen'}
    </>
  )
}

/** 0.6 s · 14 m 22 s. */
function tenths(ms: number): string {
  return ms < 60_000 ? seconds(ms) : duration(ms)
}

function renewalWords(left: Extract<Remaining, { kind: 'left' }>, frozen: boolean): string {
  if (frozen) return 'not counting: view is stale'
  // A new etcd raft leader gives every lease its full TTL again: its holder may be long dead.
  if (left.lateMs > 0 && left.refilled) return `no renewal for ${tenths(left.silentMs)}`
  if (left.lateMs > 0) return `renewal late by ${tenths(left.lateMs)} or more`
  const dueMs = left.grantedMs * (1 - RENEWAL_DUE) - left.silentMs
  return dueMs > 0 ? `renewal due in ${tenths(dueMs)}` : 'renewal due'
}

/** Look-ups give whole seconds, so the age of a renewal is an upper bound and lateness a lower one. */
function RenewalLine({ left, frozen }: { left: Remaining; frozen: boolean }) {
  if (left.kind !== 'left') return <p className="min-h-4 text-sm text-t2" />
  return (
    <p className="grid grid-cols-3 text-sm text-t2 max-sm:grid-cols-[1fr_1.4fr_auto]">
      <span>{left.refilled ? 'refilled by etcd' : `renewed within ${tenths(left.silentMs)}`}</span>
      <b className={`text-center ${left.lateMs > 0 && !frozen ? 'text-warn' : 'text-t1'}`}>
        {renewalWords(left, frozen)}
      </b>
      <span className="text-right">full {duration(left.grantedMs)}</span>
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
