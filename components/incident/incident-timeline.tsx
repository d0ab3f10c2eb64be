import Link from 'next/link'
import { runbookPath } from '../../lib/election/alerts.ts'
import type { IncidentEntry } from '../../lib/election/incident-entries.ts'
import { subjectOf } from '../../lib/election/incident-markdown.ts'

interface TimelineProps {
  entries: readonly IncidentEntry[]
  /** By reference. */
  names: ReadonlyMap<string, string>
}

const LOUD: readonly IncidentEntry['type'][] = ['no-quorum', 'alarm', 'mass-event']
const isLoud = ({ type, alert }: IncidentEntry) => LOUD.includes(type) || alert?.severity === 'critical'

/** What happened, by time; a moment a line. */
export function IncidentTimeline({ entries, names }: TimelineProps) {
  if (entries.length === 0) return <p className="text-t2">Nothing changed in this time.</p>
  return (
    <ol>
      {entries.map((entry, at) => (
        <li
          className="grid break-inside-avoid gap-x-4 border-line border-t py-1.5 sm:grid-cols-[186px_minmax(0,150px)_minmax(0,1fr)]"
          // biome-ignore lint/suspicious/noArrayIndexKey: a document that was read once: nothing moves in it
          key={at}
        >
          <When entry={entry} />
          <span className="wrap-anywhere text-t2">{subjectOf(entry, names)}</span>
          <span className="words wrap-anywhere">
            <span className={isLoud(entry) ? 'font-semibold text-crit' : 'font-medium'}>{entry.words}</span>
            {entry.why !== undefined && <span className="block text-t2">{entry.why}</span>}
            {entry.alert !== undefined && (
              <Link className="link inline-block py-1 print:hidden" href={runbookPath(entry.alert.rule)}>
                Runbook
              </Link>
            )}
          </span>
        </li>
      ))}
    </ol>
  )
}

/** A moment, or from when to when it lasted. A time is never broken in two. */
function When({ entry: { at, to } }: { entry: IncidentEntry }) {
  return (
    <span className="words text-t2">
      {to === null && 'since '}
      <span className="whitespace-nowrap">{at}</span>
      {to != null && to !== at && (
        <>
          {' '}
          to <span className="whitespace-nowrap">{to}</span>
        </>
      )}
    </span>
  )
}
