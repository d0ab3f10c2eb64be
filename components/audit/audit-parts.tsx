/** The cells of one row, shared by the table and the cards of a phone. What somebody typed is text, never markup. */
import Link from 'next/link'
import type { Instant } from '../../lib/shared/clock.ts'
import { groupDigits } from '../../lib/shared/decimal.ts'
import { milliseconds } from '../../lib/shared/format.ts'
import type { AuditEntryShape } from '../live/audit.ts'
import { momentWords, subjectWords, wordsOf } from './audit-words.ts'
import { momentHref } from './moment-href.ts'

export function Moment({ at, now }: { at: Instant; now: Instant }) {
  return (
    <time className="whitespace-nowrap" dateTime={at} title={at}>
      {momentWords(at, now)}
    </time>
  )
}

export function Who({ actor }: Pick<AuditEntryShape, 'actor'>) {
  const { name, token, address } = actor
  return (
    <>
      <span className="words block truncate" title={name}>
        {name}
      </span>
      {token !== undefined && (
        <span className="words block truncate text-t2 text-xs" title={token}>
          token {token}
        </span>
      )}
      {address !== '' && (
        <span className="block truncate text-t2 text-xs" title={address}>
          {address}
        </span>
      )}
    </>
  )
}

/** An election leads to its page as it was then. */
export function Subject({ entry, now }: { entry: AuditEntryShape; now: Instant }) {
  const { cluster, ref, name } = entry.subject
  const words = subjectWords(entry)
  return (
    <>
      {cluster !== null && cluster !== '' && ref !== undefined ? (
        <Link
          className="link words block truncate"
          href={momentHref(cluster, ref, entry.at, now)}
          prefetch={false}
          title={name ?? ref}
        >
          {name ?? ref}
        </Link>
      ) : (
        <span className="words block truncate" title={words}>
          {words || (cluster ? 'the cluster' : '–')}
        </span>
      )}
      {cluster !== null && cluster !== '' && <span className="words block truncate text-t2 text-xs">{cluster}</span>}
    </>
  )
}

/** Why, as they said; without a reason, what the log says of it. */
export function Reason({ entry }: { entry: AuditEntryShape }) {
  const words = wordsOf(entry)
  const isTold = entry.result !== 'verified' && words !== ''
  if (entry.reason === '') return <span className="words wrap-anywhere line-clamp-2 text-t2">{words || '–'}</span>
  return (
    <>
      <span className="words wrap-anywhere line-clamp-2">{entry.reason}</span>
      {isTold && <span className="words wrap-anywhere line-clamp-1 text-t2 text-xs">{words}</span>}
    </>
  )
}

export const Revision = ({ outcome }: Pick<AuditEntryShape, 'outcome'>) =>
  outcome?.revision ? <span className="bytes">{groupDigits(outcome.revision)}</span> : '–'

export const lasted = ({ durationMs }: Pick<AuditEntryShape, 'durationMs'>) =>
  durationMs === undefined ? '–' : milliseconds(durationMs)
