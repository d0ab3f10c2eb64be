'use client'
import { type ReactNode, useState } from 'react'
import type { TermShape } from '../../lib/election/describe.ts'
import type { Cluster } from '../../lib/election/types.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { count } from '../../lib/shared/format.ts'
import type { PageHistory } from './detail-history.ts'
import { termKey } from './detail-merge.ts'
import { Absent, DetailSection } from './detail-section.tsx'
import { TermRow } from './detail-term-row.tsx'
import type { LaneSlot } from './lane-colours.ts'

const NEWEST = 7

interface TermsProps {
  cluster: Cluster
  reference: string
  history: PageHistory
  now: Instant
  colourOf: (term: TermShape) => LaneSlot | undefined
}

/** Who led when, for how long, and why it ended. */
export function DetailTerms({ cluster, reference, history, now, colourOf }: TermsProps) {
  const [all, setAll] = useState(false)
  const { terms, more, error } = history
  const shown = all ? terms : terms.slice(0, NEWEST)
  const total = terms[0]?.ordinal ?? 0
  return (
    <DetailSection
      action={
        terms.length > NEWEST && (
          <button aria-expanded={all} className="link" onClick={() => setAll(!all)} type="button">
            {all ? `Newest ${NEWEST} only` : 'All terms'}
          </button>
        )
      }
      note={total > shown.length ? `newest ${shown.length} of ${total.toLocaleString('en-US')}` : count(total, 'term')}
      title="Terms"
    >
      {terms.length === 0 ? (
        <Absent>No term was observed yet.</Absent>
      ) : (
        <TermBox scrolls={all}>
          <TermTable cluster={cluster} colourOf={colourOf} now={now} reference={reference} terms={shown} />
        </TermBox>
      )}
      {all && more && (
        <p className="mt-2 text-sm text-t2">
          Older terms are kept in history; the newest {terms.length} are shown here.
        </p>
      )}
      {error !== null && (
        <p className="mt-2 text-sm text-warn" role="alert">
          Older terms could not be read: <span className="bytes break-all">{error}</span>
        </p>
      )}
    </DetailSection>
  )
}

/** All terms scroll in a box, so that what follows stays near. */
function TermBox({ scrolls, children }: { scrolls: boolean; children: ReactNode }) {
  if (!scrolls) return children
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keys
    <section aria-label="All terms" className="max-h-[480px] overflow-y-auto" tabIndex={0}>
      {children}
    </section>
  )
}

const COLUMNS = ['w-[34px]', 'w-[78px]', 'w-[142px]', 'w-[62px]', 'w-[54px]', '']
const HEADS = ['Term', 'Leader', 'From → to', 'Duration', 'Gap', 'Ended by']

type TableProps = { terms: readonly TermShape[] } & Omit<TermsProps, 'history'>

function TermTable({ cluster, reference, terms, now, colourOf }: TableProps) {
  return (
    <table aria-label="Terms" className="w-full table-fixed border-collapse text-left">
      <thead className="sticky top-0 bg-s1">
        <tr>
          {HEADS.map((head, at) => (
            <th
              className={`pr-1 pb-1 align-bottom font-medium text-t3 text-xs ${COLUMNS[at]} ${at === 2 || at === 4 ? 'max-sm:hidden' : ''}`}
              key={head}
              scope="col"
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      {terms.map((term) => (
        <TermRow
          cluster={cluster}
          colour={colourOf(term)}
          key={termKey(term)}
          now={now}
          reference={reference}
          term={term}
        />
      ))}
    </table>
  )
}
