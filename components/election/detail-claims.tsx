import { leaderOf } from '../../lib/election/queue.ts'
import type { ElectionState } from '../../lib/election/types.ts'
import { groupDigits } from '../../lib/shared/decimal.ts'
import { identityText } from './detail-identity.ts'
import { DetailSection } from './detail-section.tsx'

/** What etcd says, and what instances say of themselves. */
export function DetailClaims({ state }: { state: ElectionState }) {
  const leader = leaderOf(state.candidates)
  return (
    <DetailSection note="does everyone agree with etcd?" title="Claim and truth">
      <div className="grid grid-cols-[16px_76px_1fr] items-baseline gap-x-1.5 gap-y-1 text-sm">
        <Tick />
        <span>etcd</span>
        {leader === null ? (
          <span>nobody leads</span>
        ) : (
          <span className="min-w-0 break-words">
            <b>{identityText(leader.identity)}</b>,{' '}
            {state.layout === 'single-key' ? 'holds the key created at revision' : 'lowest create revision'}{' '}
            <span className="bytes">{groupDigits(leader.createRevision)}</span>
          </span>
        )}
        <Unknown />
        <span>candidates</span>
        <span className="text-t2">no candidate reports yet</span>
      </div>
    </DetailSection>
  )
}

function Tick() {
  return (
    <svg aria-hidden="true" className="self-center text-ok" height="14" viewBox="0 0 16 16" width="14">
      <path d="m3 8.6 3.2 3.2L13 4.8" fill="none" stroke="currentColor" strokeLinecap="round" strokeWidth="2" />
    </svg>
  )
}

function Unknown() {
  return (
    <svg aria-hidden="true" className="self-center text-t2" fill="none" height="14" viewBox="0 0 16 16" width="14">
      <circle cx="8" cy="8" r="6.2" stroke="currentColor" strokeDasharray="1.6 1.9" strokeWidth="1.5" />
      <path
        d="M6.3 6.3c.1-1 .8-1.6 1.8-1.6s1.7.6 1.7 1.5c0 1.2-1.7 1.3-1.7 2.6M8.1 11.2v.1"
        stroke="currentColor"
        strokeWidth="1.5"
      />
    </svg>
  )
}
