'use client'
import { AWAITED_ROWS, periodRows } from '../../lib/election/period-rows.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { day, hourAndMinute } from '../../lib/shared/format.ts'
import { usePeriods } from '../live/periods.ts'
import { useSettledVersion } from './detail-history.ts'
import type { View } from './detail-range.ts'
import { Absent, DetailSection } from './detail-section.tsx'

interface PeriodProps {
  cluster: string
  reference: string
  view: View
  range: { from: Instant; to: Instant }
  /** Changes with every change of leader. */
  version: string
}

/** How this range went, beside as much time before it. */
export function DetailPeriod({ cluster, reference, view, range, version }: PeriodProps) {
  const { data, error } = usePeriods({ cluster, ref: reference, ...range }, useSettledVersion(version))
  const objective = data?.ledObjective
  const rows = data === undefined ? AWAITED_ROWS : periodRows(data.current, data.previous, data.ledObjective)
  return (
    <DetailSection
      note={objective === undefined ? undefined : `objective: led ${objective} % of the time that was observed`}
      title="In figures"
    >
      {error !== null && <Absent>The figures could not be read: {error.message}</Absent>}
      <table aria-label="This range in figures" className="w-full max-w-[620px] border-collapse text-left text-sm">
        <thead>
          <tr className="text-t3 text-xs">
            <th className="pb-1 font-medium" scope="col">
              <span className="sr-only">Figure</span>
            </th>
            <th className="pb-1 text-right font-medium" scope="col">
              {view.end === null ? `Last ${view.range.label}` : `${view.range.label} to ${moment(range.to)}`}
            </th>
            <th className="pb-1 text-right font-medium" scope="col">
              {view.range.label} before
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, now, before, isShort }) => (
            <tr key={name}>
              <th className="h-7 border-line border-t font-normal text-t2" scope="row">
                {name}
              </th>
              <td className={`border-line border-t text-right font-semibold ${isShort ? 'text-warn' : 'text-t1'}`}>
                {now}
              </td>
              <td className="border-line border-t text-right text-t2">{before}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </DetailSection>
  )
}

const moment = (at: Instant) => `${day(at)}, ${hourAndMinute(at)} UTC`
