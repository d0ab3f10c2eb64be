'use client'
import Link from 'next/link'
import { memo } from 'react'
import type { Instant } from '../../lib/shared/clock.ts'
import { count } from '../../lib/shared/format.ts'
import { momentHref } from '../audit/moment-href.ts'
import { StatusGlyph } from '../election/status-glyph.tsx'
import type { FailoverSummaryShape } from '../live/failovers.ts'
import { Button } from '../ui/button.tsx'
import { Dashes } from './dashes.tsx'
import { percentWords } from './failover-words.ts'
import { betweenWords, isFlapping, keepsObjective, type Led, leaderlessWords, leftOutWords } from './led-words.ts'
import { Panel } from './panel.tsx'

interface LedTableProps {
  summary: FailoverSummaryShape | undefined
  cluster: string
  /** Shows all of them; null when all are shown. */
  onMore: (() => void) | null
}

const HEADS = ['Election', 'Led', 'Objective', 'Without a leader', 'Between failovers', 'Failovers', 'Left out']
const NARROW = [false, false, true, false, true, true, true]

/** How much of the time each election was led, the least led first. */
export const LedTable = memo(function LedTable({ summary, cluster, onMore }: LedTableProps) {
  const now = summary?.serverTime ?? ''
  const rows = summary?.led.least ?? []
  const missed = rows.filter((row) => keepsObjective(row, objectiveOf(summary, row)) === false).length
  return (
    <Panel className="border-line border-t" note={noteOf(summary, missed)} title="Availability of leadership">
      <table className="w-full border-collapse text-left text-sm">
        <thead>
          <tr>
            {HEADS.map((head, at) => (
              <th
                className={`py-1 pr-3 font-medium text-t2 ${NARROW[at] ? 'max-sm:hidden' : ''} ${at === 0 ? '' : 'text-right'}`}
                key={head}
                scope="col"
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <LedRow cluster={cluster} key={row.election} now={now} row={row} summary={summary} />
          ))}
        </tbody>
      </table>
      {summary === undefined && <Dashes count={8} height={29} />}
      {summary !== undefined && rows.length === 0 && (
        <p className="border-line border-t py-2 text-sm text-t2">No election was led in this time.</p>
      )}
      {onMore !== null && summary !== undefined && rows.length < summary.led.count && (
        <Button className="mt-3 max-sm:h-11" onClick={onMore} size="sm">
          Show all {summary.led.count.toLocaleString('en-US')}
        </Button>
      )}
    </Panel>
  )
})

const objectiveOf = (summary: FailoverSummaryShape | undefined, { election }: Led) =>
  summary?.elections[election]?.ledObjective ?? 0

function noteOf(summary: FailoverSummaryShape | undefined, missed: number): string {
  if (summary === undefined || summary.led.count === 0) return ''
  const all = count(summary.led.count, 'election')
  const shown = summary.led.least.length
  const more = missed === shown && shown < summary.led.count ? ' or more' : ''
  return missed === 0 ? `${all}, each as its objective asks` : `${missed}${more} of ${all} below the objective`
}

interface RowProps {
  row: Led
  summary: FailoverSummaryShape | undefined
  cluster: string
  now: Instant
}

function LedRow({ row, summary, cluster, now }: RowProps) {
  const { ref = '', name = '', isKnown = false } = summary?.elections[row.election] ?? {}
  const objective = objectiveOf(summary, row)
  const keeps = keepsObjective(row, objective)
  return (
    <tr className="border-line border-t">
      <th className="w-[46%] max-w-0 py-1.5 pr-3 font-normal sm:w-[34%]" scope="row">
        <span className="flex min-w-0 items-center gap-2">
          {isKnown ? (
            <Link
              className="words min-w-0 truncate font-semibold hover:underline"
              href={momentHref(cluster, ref, summary?.to ?? now, now)}
              prefetch={false}
              title={name}
            >
              {name}
            </Link>
          ) : (
            <span className="words min-w-0 truncate font-semibold" title={`${name}: no longer watched`}>
              {name}
            </span>
          )}
          {isFlapping(row) && (
            <span className="flex shrink-0 items-center gap-1 text-warn" title={`${row.mostInAnHour} within an hour`}>
              <StatusGlyph status="flapping" />
              Flapping
            </span>
          )}
        </span>
      </th>
      <td className={`py-1.5 pr-3 text-right font-semibold ${keeps === false ? 'text-warn' : ''}`}>
        {percentWords(row.ledShare)}
        <span className="sr-only">{keeps === false ? `, below ${objective} %` : ''}</span>
      </td>
      <td className="py-1.5 pr-3 text-right text-t2 max-sm:hidden">{objective} %</td>
      <td className="py-1.5 pr-3 text-right">{leaderlessWords(row)}</td>
      <td className="py-1.5 pr-3 text-right max-sm:hidden">{betweenWords(row)}</td>
      <td className="py-1.5 pr-3 text-right max-sm:hidden">{row.failovers.toLocaleString('en-US')}</td>
      <td className="py-1.5 text-right text-t2 max-sm:hidden">{leftOutWords(row) || '–'}</td>
    </tr>
  )
}
