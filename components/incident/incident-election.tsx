import Link from 'next/link'
import { nameOf } from '../../lib/election/incident-entries.ts'
import { causeWords, partWords, saidWords } from '../../lib/election/incident-markdown.ts'
import type { IncidentElection, IncidentTerm } from '../../lib/election/incident-report.ts'
import { periodRows } from '../../lib/election/period-rows.ts'
import { groupDigits } from '../../lib/shared/decimal.ts'
import { count } from '../../lib/shared/format.ts'

interface ElectionProps {
  election: IncidentElection
  /** Addresses of the report of this election alone, and of the others; null where they would change nothing. */
  onlyHref: string | null
  withoutHref: string | null
}

/** One election: how it went in figures, and its terms. On paper it begins a page. */
export function IncidentElectionSection({ election, onlyHref, withoutHref }: ElectionProps) {
  const { name, prefix, figures, ledObjective, terms, earlierTerms } = election
  return (
    <section aria-label={name} className="mt-7 print:break-before-page">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h3 className="wrap-anywhere font-semibold text-lg">{name}</h3>
        <span className="ml-auto flex gap-3 text-sm print:hidden">
          {onlyHref !== null && (
            <Link className="link max-sm:py-2.5" href={onlyHref} prefetch={false}>
              Only this
            </Link>
          )}
          {withoutHref !== null && (
            <Link className="link max-sm:py-2.5" href={withoutHref} prefetch={false}>
              Leave out
            </Link>
          )}
        </span>
      </div>
      <p className="bytes wrap-anywhere text-t2">{prefix}</p>
      <dl className="mt-2 grid gap-x-6 text-sm sm:grid-cols-2">
        {periodRows(figures, null, ledObjective).map((row) => (
          <div className="flex justify-between gap-4 border-line border-t py-1" key={row.name}>
            <dt className="text-t2">{row.name}</dt>
            <dd className={`font-semibold ${row.isShort ? 'text-warn' : ''}`}>{row.now}</dd>
          </div>
        ))}
      </dl>
      {earlierTerms > 0 && (
        <p className="mt-3 text-t2">{count(earlierTerms, 'earlier term')} are counted above and not listed.</p>
      )}
      <ol className="mt-4">
        {terms.map((term) => (
          <TermLines key={`${term.epoch} ${term.token}`} term={term} />
        ))}
      </ol>
      {terms.length === 0 && <p className="mt-3 text-t2">No term is known.</p>}
    </section>
  )
}

function TermLines({ term }: { term: IncidentTerm }) {
  const { ordinal, epoch, token, identity, from, fromAtLeast, to, evidence, kind } = term
  const parts = partWords(term)
  const said = saidWords(term)
  return (
    <li className="break-inside-avoid border-line border-t py-2">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <b className="wrap-anywhere">
          #{ordinal} {nameOf(identity)}
        </b>
        <span className="text-sm text-t2">
          token <span className="bytes">{groupDigits(token)}</span>
          {epoch > 0 && `, epoch ${epoch}`}
        </span>
        <span className="words text-sm text-t2 sm:ml-auto">
          {to === null && 'since '}
          {fromAtLeast && 'before '}
          <span className="whitespace-nowrap">{from}</span>
          {to !== null && (
            <>
              {' '}
              to <span className="whitespace-nowrap">{to}</span>
            </>
          )}
        </span>
      </div>
      {kind !== null && (
        <p className="words wrap-anywhere">
          <span className={kind === 'failover' ? 'font-semibold text-crit' : 'font-medium'}>{causeWords(term)}</span>
          {parts !== '' && <span className="text-t2">: {parts}</span>}
        </p>
      )}
      {evidence !== '' && <p className="words wrap-anywhere text-t2">{evidence}</p>}
      {said !== '' && <p className="words wrap-anywhere whitespace-pre-line">{said}</p>}
    </li>
  )
}
