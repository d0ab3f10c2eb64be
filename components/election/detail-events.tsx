'use client'
import { Fragment } from 'react'
import type { Fact } from '../../lib/election/changes.ts'
import type { ElectionState } from '../../lib/election/types.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { day, timeOfDay } from '../../lib/shared/format.ts'
import { useEvents } from '../live/queries.ts'
import { usePastAt } from '../live/use-live.ts'
import { AsOfLink } from './as-of-link.tsx'
import { type EventLine, eventLines } from './detail-event-words.ts'
import { useSettledVersion } from './detail-history.ts'
import { Absent, DetailSection } from './detail-section.tsx'
import { upTo } from './detail-up-to.ts'

const SHOWN = 14
const TONE: Record<EventLine['tone'], string> = {
  quiet: 'text-t2',
  change: 'text-t1',
  crit: 'text-crit',
  unobserved: 'text-t2',
}

/** What happened lately, newest first, in words. */
export function DetailEvents({ cluster, state, now }: { cluster: string; state: ElectionState; now: Instant }) {
  const last = state.ended.at(-1)
  const version = useSettledVersion(`${state.revision} ${last?.endedBy?.cause ?? ''} ${state.gaps.length}`)
  const { data, error } = useEvents({ cluster, ref: state.ref, ...upTo(usePastAt()) }, version)
  const lines = data === undefined ? [] : eventLines(data.events as readonly Fact[], state.layout).slice(0, SHOWN)
  return (
    <DetailSection note="newest first" title="Recent events">
      {error !== null && (
        <p className="text-sm text-warn" role="alert">
          Events could not be read: <span className="bytes break-all">{error.message}</span>
        </p>
      )}
      {error === null && data === undefined && <Absent>Reading history…</Absent>}
      {data !== undefined && lines.length === 0 && <Absent>Nothing has happened since Tenure first looked.</Absent>}
      <ol className="text-sm">
        {lines.map((line, at) => (
          <Fragment key={line.id}>
            {day(line.at) !== day(lines[at - 1]?.at ?? now) && (
              <li className="border-line border-t pt-2 pb-1 font-medium text-t3 text-xs first:border-t-0">
                {day(line.at)}
              </li>
            )}
            <li className="grid grid-cols-[60px_1fr] gap-x-2 border-line border-t py-1.5 first:border-t-0">
              <AsOfLink at={line.at}>{timeOfDay(line.at)}</AsOfLink>
              <span className={`min-w-0 break-words ${TONE[line.tone]}`}>
                {line.text}
                {line.detail !== undefined && <span className="block text-t3 text-xs">{line.detail}</span>}
              </span>
            </li>
          </Fragment>
        ))}
      </ol>
    </DetailSection>
  )
}
