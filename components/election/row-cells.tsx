'use client'
/** Cells of a row that say who leads, since when and by which token. */
import { dualClaimOf } from '../../lib/election/claims.ts'
import { competitors, leaderOf, nextUpOf } from '../../lib/election/queue.ts'
import type { Status } from '../../lib/election/status.ts'
import type { ElectionState } from '../../lib/election/types.ts'
import { instant } from '../../lib/shared/clock.ts'
import { groupDigits } from '../../lib/shared/decimal.ts'
import { useLiveStore } from '../live/use-live.ts'
import { Age } from './age.tsx'
import { called } from './called.ts'
import { changeWords } from './change-words.ts'
import { speakerOf } from './claim-words.ts'
import { colourOf } from './lanes.ts'
import { LeaderTag } from './leader-tag.tsx'
import { StatusDetail } from './status-detail.tsx'
import { StatusMark } from './status-mark.tsx'

const SMALL = 'block truncate text-xs text-t3'

export function StatusCell({ state, status, was }: { state: ElectionState; status: Status; was: string }) {
  return (
    <span className="block leading-[15px]">
      <StatusMark status={status} />
      <span className={`${SMALL} pl-[22px] empty:hidden`}>
        {was === '' ? <StatusDetail state={state} status={status} /> : was}
      </span>
    </span>
  )
}

export function LeaderCell({ state, status }: { state: ElectionState; status: Status }) {
  const leader = leaderOf(state.candidates)
  const last = state.ended.at(-1)
  if (leader !== null) {
    return (
      <span className="block leading-[15px]">
        <LeaderTag identity={leader.identity} slot={colourOf(state, leader)} />
        {status === 'dual-claim' && <AlsoClaims state={state} />}
      </span>
    )
  }
  if (status === 'dual-claim') {
    return (
      <span className="block leading-[15px]">
        <span className="text-t2">None</span>
        <AlsoClaims state={state} />
      </span>
    )
  }
  return (
    <span className="block leading-[15px]">
      <span className={status === 'leaderless' ? 'text-crit' : 'text-t2'}>None</span>
      {last !== undefined && (
        <span className={SMALL}>
          was <span className="words">{called(last.leader)}</span>
        </span>
      )}
    </span>
  )
}

/** Who claims the seat against etcd's word; the leader itself where another instance claims its token. */
function AlsoClaims({ state }: { state: ElectionState }) {
  const store = useLiveStore()
  const dual = dualClaimOf(state, [], instant(store.time.nowMs()))
  const [first, ...others] = dual?.claimants ?? []
  if (first === undefined) return null
  const many = first.reason === 'same-token' ? others.length + 1 : 1
  return (
    <span className="flex gap-1 whitespace-nowrap pl-[15px] text-crit text-xs">
      <span className="words min-w-0 truncate">{many > 1 ? `${many} instances` : speakerOf(first.claim)}</span>{' '}
      <span className="shrink-0">{many > 1 ? 'claim' : 'also claims'}</span>
    </span>
  )
}

/** Revisions of busy clusters are long: the end tells two of them apart. */
function shortToken(token: string): string {
  if (token.length <= 7) return groupDigits(token)
  return token.length <= 9 ? token : `…${token.slice(-8)}`
}

export function TermCell({ state }: { state: ElectionState }) {
  if (state.term === null) {
    return (
      <span className="block leading-[15px]">
        {state.lastOrdinal > 0 ? `#${state.lastOrdinal}` : '–'}
        {state.lastOrdinal > 0 && <span className={SMALL}>term ended</span>}
      </span>
    )
  }
  return (
    <span className="block leading-[15px]">
      #{state.term.ordinal}
      <span className="bytes block truncate text-[11px] text-t3 leading-[14px]">{shortToken(state.term.token)}</span>
    </span>
  )
}

export function SinceCell({ state }: { state: ElectionState }) {
  const since = state.term?.from ?? state.leaderlessSince
  if (since === null) return '–'
  return (
    <span className="block whitespace-nowrap leading-[15px]">
      <Age since={since} />
      {state.term?.fromAtLeast && <span className={SMALL}>at least</span>}
    </span>
  )
}

export function CandidatesCell({ state, status }: { state: ElectionState; status: Status }) {
  const count = competitors(state.candidates).length
  const next = nextUpOf(state.candidates)
  return (
    <span className="block leading-[15px]">
      {count.toLocaleString('en-US')}
      <span className={SMALL}>
        {state.layout === 'single-key' ? (
          'single key'
        ) : next !== null ? (
          <>
            next <span className="words">{called(next)}</span>
          </>
        ) : status === 'leaderless' ? (
          <span className="text-crit">nobody waiting</span>
        ) : status === 'stopped' && count === 0 ? (
          'nobody queues'
        ) : (
          <span className={status === 'no-standby' ? 'text-warn' : undefined}>no successor</span>
        )}
      </span>
    </span>
  )
}

export function ChangeCell({ state }: { state: ElectionState }) {
  const { title, who, at } = changeWords(state)
  return (
    <span className="block text-sm leading-[15px]">
      <span className={`block truncate ${at === null ? 'text-t3' : ''}`}>{title}</span>
      {at !== null && (
        <span className={SMALL}>
          <Age short since={at} /> ago · <span className="words">{who}</span>
        </span>
      )}
    </span>
  )
}
