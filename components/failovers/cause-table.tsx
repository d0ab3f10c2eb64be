import { Fragment } from 'react'
import { PARTS, type TransitionPart } from '../../lib/election/transitions.ts'
import { brief } from '../../lib/shared/format.ts'
import { PART_COLOURS } from '../charts/failover-chart.tsx'
import type { FailoverSummaryShape } from '../live/failovers.ts'
import { Dashes } from './dashes.tsx'
import { causeWords } from './failover-words.ts'
import { Panel } from './panel.tsx'
import { InlinePointMark } from './timeline-marks.tsx'

type Figures = FailoverSummaryShape['causes'][number]

const COUNT_PX = 46
const PARTS_PX = 96

/** Why leaders changed, how often, and what the time of the median was made of. */
export function CauseTable({ summary }: { summary: FailoverSummaryShape | undefined }) {
  const causes = summary?.causes ?? []
  const most = Math.max(1, ...causes.map(({ count }) => count))
  const longestMs = Math.max(1, ...causes.map(partsMs))
  const shown = PARTS.filter((part) => part !== 'refill' || causes.some(({ parts }) => (parts.refillMs ?? 0) > 0))
  return (
    <Panel note="count, and median by part" title="Causes">
      {summary !== undefined && causes.length === 0 && <p className="text-sm text-t2">The leader changed nowhere.</p>}
      {summary === undefined && <Dashes count={5} height={40} />}
      <table className="w-full table-fixed border-collapse text-left">
        <caption className="sr-only">Causes with their medians</caption>
        <colgroup>
          <col />
          <col className="w-[92px] max-sm:w-20" />
          <col className="w-[164px] max-sm:w-20" />
        </colgroup>
        <thead className="sr-only">
          <tr>
            <th scope="col">Cause</th>
            <th scope="col">Count</th>
            <th scope="col">Median time and parts</th>
          </tr>
        </thead>
        <tbody>
          {causes.map((each) => (
            <CauseRow figures={each} key={`${each.kind} ${each.cause}`} longestMs={longestMs} most={most} />
          ))}
        </tbody>
      </table>
      <ul aria-label="Parts" className="flex flex-wrap justify-end gap-x-3 border-line border-t pt-2 text-sm text-t2">
        {shown.map((part) => (
          <li className="flex items-center gap-1.5" key={part}>
            <svg aria-hidden="true" height="10" width="10">
              <rect fill={PART_COLOURS[part]} height="10" width="10" />
            </svg>
            {part}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const msOf = ({ parts }: Figures, part: TransitionPart) => parts[`${part}Ms`] ?? 0
const partsMs = (figures: Figures) => PARTS.reduce((sum, part) => sum + msOf(figures, part), 0)

function CauseRow({ figures, most, longestMs }: { figures: Figures; most: number; longestMs: number }) {
  const { cause, kind, count, mass } = figures
  const { title, note } = causeWords(cause, kind)
  const wide = Math.max(2, (count / most) * COUNT_PX)
  return (
    <tr className="h-10 border-line border-t">
      <th className="py-1 pr-2 font-normal" scope="row">
        <span className="flex items-center gap-1.5 font-semibold">
          <InlinePointMark point={{ cause, kind }} />
          <span className="truncate">{title}</span>
        </span>
        <span className="block truncate pl-[18px] text-t2 text-xs">{note}</span>
      </th>
      <td className="align-middle">
        <span className="flex items-center gap-2">
          <b className="inline-block min-w-9 text-right">{count.toLocaleString('en-US')}</b>
          <svg aria-hidden="true" className="max-sm:hidden" height="12" width={COUNT_PX}>
            <rect
              fill={kind === 'failover' ? 'var(--t2)' : 'none'}
              height="10"
              rx="1"
              stroke="var(--t2)"
              width={wide - 1}
              x="0.5"
              y="1"
            />
          </svg>
        </span>
        {mass > 0 && (
          <span className="block whitespace-nowrap pl-1 text-t2 text-xs">{mass.toLocaleString('en-US')} in events</span>
        )}
      </td>
      <td>
        <PartsBar figures={figures} longestMs={longestMs} />
      </td>
    </tr>
  )
}

/** The medians of the parts one after the other: not the parts of one median. */
function PartsBar({ figures, longestMs }: { figures: Figures; longestMs: number }) {
  let x = 0
  const words = PARTS.flatMap((part) => {
    const ms = figures.parts[`${part}Ms`]
    return ms === null || (part === 'refill' && ms === 0) ? [] : [`${part} ${brief(ms)}`]
  })
  return (
    <span className="flex items-center gap-2" title={words.join(', ') || 'no part is known'}>
      <span className="w-14 shrink-0 text-right">{figures.totalMs === null ? '–' : brief(figures.totalMs)}</span>
      <span className="sr-only">: {words.join(', ') || 'no part is known'}</span>
      <svg aria-hidden="true" className="max-sm:hidden" height="12" width={PARTS_PX}>
        {PARTS.map((part) => {
          const ms = msOf(figures, part)
          if (ms <= 0) return <Fragment key={part} />
          const width = Math.max(2, (ms / longestMs) * PARTS_PX)
          x += width
          return <rect fill={PART_COLOURS[part]} height="10" key={part} width={width} x={x - width} y="1" />
        })}
      </svg>
    </span>
  )
}
