import { leaderOf } from '../../lib/election/queue.ts'
import type { Claim, ElectionState } from '../../lib/election/types.ts'
import type { Judged } from '../../lib/election/verdicts.ts'
import { elapsedMs, type Instant } from '../../lib/shared/clock.ts'
import { count, duration, timeOfDay } from '../../lib/shared/format.ts'
import { called } from './called.ts'
import { saying, speakerOf, tokenOf, whyNot } from './claim-words.ts'
import { ClaimGlyph, type ClaimGlyphKind } from './detail-claim-glyph.tsx'

interface ClaimRowProps {
  judged: Judged
  state: ElectionState
  now: Instant
}

function glyphOf({ verdict }: Judged): ClaimGlyphKind {
  return verdict === 'agrees' || verdict === 'contradicts' ? verdict : 'unknown'
}

/** What one instance says, beside what etcd says. */
export function ClaimRow({ judged, state, now }: ClaimRowProps) {
  const { claim, verdict } = judged
  const loud = verdict === 'contradicts'
  return (
    <li className="grid grid-cols-[16px_92px_1fr] gap-x-1.5 py-0.5">
      <ClaimGlyph kind={glyphOf(judged)} />
      <span
        className={`words min-w-0 break-words ${loud ? 'font-semibold text-crit' : ''}`}
        title={`instance ${claim.instance}`}
      >
        {speakerOf(claim)}
      </span>
      <span className={`min-w-0 break-words ${verdict === 'agrees' || loud ? '' : 'text-t2'}`}>
        <Words judged={judged} now={now} state={state} />
        <Facts claim={claim} now={now} />
      </span>
    </li>
  )
}

const ago = (at: Instant, now: Instant) => `${duration(elapsedMs(at, now))} ago`

function Words({ judged, state, now }: ClaimRowProps) {
  const { claim, verdict, standing, reason } = judged
  const quote = `“${saying(judged)}”`
  const said = `said ${ago(claim.reportedAt, now)}`
  switch (verdict) {
    case 'contradicts':
      return (
        <>
          <b>{quote}</b> with token <span className="bytes">{tokenOf(claim)}</span>
          {claim.since !== null && ` since ${timeOfDay(claim.since)}`}, {said}.{' '}
          {reason !== null && whyNot(state, { claim, reason, since: now })}
        </>
      )
    case 'agrees':
      return `agrees: ${quote}${behind(claim, state)}, ${said}`
    case 'outdated':
      return standing?.at === 'unseen'
        ? `${quote}, ${said}: etcd has not shown that term yet`
        : `${quote}, ${said}: before etcd showed its end, or just after`
    case 'lapsed':
      return `${quote}, ${said}: that claim has run out`
    case 'unaware':
      return `unaware: ${quote}, ${said}, while etcd says it leads`
    case 'unverified':
      return `unverified: ${quote}, ${said}; etcd cannot be asked`
  }
}

/** Only where etcd shows that it does wait. */
function behind(claim: Claim, state: ElectionState): string {
  const leader = leaderOf(state.candidates)
  const queued = state.candidates.some(({ lease }) => lease !== null && lease === claim.lease)
  const another = leader !== null && leader.lease !== claim.lease
  return another && queued && claim.state === 'waiting' ? ` behind ${called(leader)}` : ''
}

function Facts({ claim, now }: { claim: Claim; now: Instant }) {
  const facts = [
    ...(claim.lastWorkAt === null ? [] : [`last work ${ago(claim.lastWorkAt, now)}`]),
    ...(claim.rejections === 0 ? [] : [`${count(claim.rejections, 'write')} refused by a fence`]),
    ...(claim.missed === 0 ? [] : [`${count(claim.missed, 'renewal')} missed`]),
  ]
  return facts.length === 0 ? null : <span className="block text-t3">{facts.join(' · ')}</span>
}
