'use client'
import type { Instant } from '../../lib/shared/clock.ts'
import { brief } from '../../lib/shared/format.ts'
import { type FailoverFilters, type FailoverRow, useFailoverPages } from '../live/failovers.ts'
import { Button } from '../ui/button.tsx'
import { momentWords, unknownWords } from './failover-words.ts'
import { AsTable, Panel } from './panel.tsx'
import { RowElection, RowHands, RowMark, RowTime, rowCause, rowKey } from './row-parts.tsx'

interface AllTableProps {
  filters: FailoverFilters
  refetchMs: number | false
  now: Instant
  /** Back to the charts. */
  onCharts: () => void
}

const PARTS = ['detect', 'refill', 'vacancy', 'takeover'] as const

/** Every change of leader, newest first: the timeline as a table. */
export function AllTable({ filters, refetchMs, now, onCharts }: AllTableProps) {
  const pages = useFailoverPages(filters, refetchMs)
  const rows = pages.data?.pages.flatMap((page) => page.rows) ?? []
  return (
    <Panel action={<AsTable on onChange={onCharts} what="Changes" />} note="newest first" title="All changes of leader">
      {pages.error !== null && (
        <p className="pb-2 text-warn" role="alert">
          They could not be read: <span className="bytes wrap-anywhere">{pages.error.message}</span>
        </p>
      )}
      {pages.data !== undefined && rows.length === 0 && (
        <p className="border-line border-t py-3 text-t2">No change of leader in this time fits what is asked for.</p>
      )}
      <table className="w-full border-collapse text-left text-sm">
        <thead className="sticky top-[52px] z-10 bg-bg">
          <tr className="text-t2">
            <Head>Time, UTC</Head>
            <Head>Election</Head>
            <Head className="max-sm:hidden">Cause</Head>
            <Head className="max-sm:hidden">From → to</Head>
            {PARTS.map((part) => (
              <Head className="text-right max-lg:hidden" key={part}>
                {part}
              </Head>
            ))}
            <Head className="text-right">Time</Head>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row cluster={filters.cluster} key={rowKey(row)} now={now} row={row} />
          ))}
        </tbody>
      </table>
      {pages.isPending && (
        <p className="border-line border-t py-2 text-t3" role="status">
          –
        </p>
      )}
      {pages.hasNextPage && (
        <Button
          className="mt-4 max-sm:h-11"
          disabled={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >
          {pages.isFetchingNextPage ? 'Reading older changes' : 'Show older changes'}
        </Button>
      )}
    </Panel>
  )
}

function Head({ children, className = '' }: { children: string; className?: string }) {
  return (
    <th className={`py-1.5 pr-3 font-medium first-letter:uppercase ${className}`} scope="col">
      {children}
    </th>
  )
}

function Row({ row, now, cluster }: { row: FailoverRow; now: Instant; cluster: string }) {
  const { title } = rowCause(row)
  return (
    <tr className="border-line border-t" title={row.evidence || undefined}>
      <td className="whitespace-nowrap py-1.5 pr-3 text-t2">
        <time dateTime={row.at} title={row.at}>
          {momentWords(row.at, now)}
        </time>
      </td>
      <td className="max-w-0 py-1.5 pr-3 max-sm:w-[45%] sm:w-[24%]">
        <RowElection cluster={cluster} now={now} row={row} />
        <span className="flex items-center gap-1.5 text-t2 sm:hidden">
          <RowMark row={row} />
          <span className="truncate">{title}</span>
        </span>
      </td>
      <td className="whitespace-nowrap py-1.5 pr-3 max-sm:hidden">
        <span className="flex items-center gap-1.5">
          <RowMark row={row} />
          {title}
        </span>
      </td>
      <td className="max-w-0 py-1.5 pr-3 max-sm:hidden sm:w-[24%]">
        <RowHands row={row} />
      </td>
      {PARTS.map((part) => (
        <td className="whitespace-nowrap py-1.5 pr-3 text-right text-t2 max-lg:hidden" key={part}>
          {partWords(row, part)}
        </td>
      ))}
      <td className="py-1.5 text-right">
        <RowTime now={now} row={row} />
        {row.unknownParts.length > 0 && <span className="sr-only">, {unknownWords(row.unknownParts)}</span>}
      </td>
    </tr>
  )
}

/** "?" where it took some time that nobody knows; "–" where there is no such part. */
function partWords(row: FailoverRow, part: (typeof PARTS)[number]): string {
  const ms = row[`${part}Ms`]
  if (row.unknownParts.includes(part)) return '?'
  return ms === null || (part === 'refill' && ms === 0) ? '–' : brief(ms)
}
