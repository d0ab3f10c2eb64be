import { type DualClaim, dualClaimOf } from '../../lib/election/claims.ts'
import { competitors, leaderOf } from '../../lib/election/queue.ts'
import type { Candidate, Cluster, ElectionState } from '../../lib/election/types.ts'
import { isComparable, type Judged, judgeClaims, newestOn } from '../../lib/election/verdicts.ts'
import { elapsedMs, type Instant } from '../../lib/shared/clock.ts'
import { groupDigits } from '../../lib/shared/decimal.ts'
import { count, duration, timeOfDay } from '../../lib/shared/format.ts'
import { nextStep } from './claim-words.ts'
import { ClaimGlyph } from './detail-claim-glyph.tsx'
import { ClaimRow } from './detail-claim-row.tsx'
import type { Frozen } from './detail-frozen.ts'
import { identityText } from './detail-identity.ts'
import { DetailSection } from './detail-section.tsx'

const MOST_ROWS = 12
const MOST_SILENT = 4

interface ClaimsProps {
  cluster: Cluster
  state: ElectionState
  now: Instant
  frozen: Frozen | null
}

/** What etcd says, and what instances say of themselves. */
export function DetailClaims({ cluster, state, now, frozen }: ClaimsProps) {
  // This tab may know less of etcd than the server did when it sent the cluster's state.
  const seen: Cluster = frozen === null ? cluster : { ...cluster, freshness: 'stale' }
  const judged = judgeClaims(state, seen, now)
  const dual = isComparable(seen) ? dualClaimOf(state, seen.gaps, now) : null
  const silent = competitors(state.candidates).filter(({ lease }) => newestOn(state.claims, lease) === null)
  return (
    <DetailSection note="does everyone agree with etcd?" title="Claim beside truth">
      {dual !== null && <Alarm dual={dual} now={now} />}
      <ul className="text-sm leading-[17px]">
        <Truth known={isComparable(seen)} state={state} />
        {judged.slice(0, MOST_ROWS).map((each) => (
          <ClaimRow judged={each} key={each.claim.instance} now={now} state={state} />
        ))}
        {judged.length > MOST_ROWS && <Rest judged={judged.slice(MOST_ROWS)} />}
        {judged.length === 0 ? <Nobody /> : <Silent candidates={silent} />}
      </ul>
    </DetailSection>
  )
}

function Alarm({ dual, now }: { dual: DualClaim; now: Instant }) {
  return (
    <p className="edge edge-crit relative mb-2 bg-tint-crit py-1.5 pr-2 pl-3 text-sm leading-[17px]">
      <b className="text-crit">Dual claim</b> since {timeOfDay(dual.since)} UTC ({duration(elapsedMs(dual.since, now))}
      ). <span className="words">{nextStep(dual)}</span>
    </p>
  )
}

const ROW = 'grid grid-cols-[16px_92px_1fr] gap-x-1.5 py-0.5'

function Truth({ state, known }: { state: ElectionState; known: boolean }) {
  const leader = leaderOf(state.candidates)
  return (
    <li className={ROW}>
      <ClaimGlyph kind={known ? 'agrees' : 'unknown'} />
      <span>etcd</span>
      {leader === null ? (
        <span>{known ? 'nobody leads' : 'nobody led when it was seen last'}</span>
      ) : (
        <span className="min-w-0 break-words">
          <b className="words">{identityText(leader.identity)}</b>,{' '}
          {state.layout === 'single-key' ? 'holds the key created at revision' : 'lowest create revision'}{' '}
          <span className="bytes">{groupDigits(leader.createRevision)}</span>
          {!known && ', as it was seen last'}
        </span>
      )}
    </li>
  )
}

function Rest({ judged }: { judged: readonly Judged[] }) {
  const agree = judged.filter(({ verdict }) => verdict === 'agrees').length
  const words = agree === judged.length ? `${count(agree, 'more agrees', 'more agree')}` : `and ${judged.length} more`
  return <li className="py-0.5 pl-[22px] text-t2">{words}</li>
}

/** Who competes and says nothing of itself. */
function Silent({ candidates }: { candidates: readonly Candidate[] }) {
  const more = candidates.length - MOST_SILENT
  return (
    <>
      {candidates.slice(0, MOST_SILENT).map((candidate) => (
        <li className={`${ROW} text-t2`} key={candidate.keyBase64}>
          <ClaimGlyph kind="unknown" />
          <span className="words min-w-0 break-words">{identityText(candidate.identity)}</span>
          <span>unknown: it reports nothing</span>
        </li>
      ))}
      {more > 0 && (
        <li className="py-0.5 pl-[22px] text-t2">
          and {more.toLocaleString('en-US')} more {more === 1 ? 'reports' : 'report'} nothing
        </li>
      )}
    </>
  )
}

function Nobody() {
  return (
    <li className={`${ROW} text-t2`}>
      <ClaimGlyph kind="unknown" />
      <span>candidates</span>
      <span>
        No candidate reports to Tenure, so what they believe is not known.{' '}
        <span className="bytes">docs/candidate.md</span> says how to report.
      </span>
    </li>
  )
}
