'use client'
import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import type { Alert } from '../../lib/election/alerts.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { AlertMark } from '../election/alert-mark.tsx'
import { Panel } from '../failovers/panel.tsx'
import { justAfter, useAlertHistory, useDeliveries } from '../live/alerts.ts'
import { asAt } from './alert-groups.ts'
import { Known, Subject } from './alert-item.tsx'
import { deliveryWords, KIND_WORDS, overWords, whenWords } from './alert-words.ts'
import { CELL, Head, Older } from './table-parts.tsx'
import { TONE_LOOK } from './tone-text.ts'
import { useLinked } from './use-linked.ts'

interface HistoryProps {
  cluster: string | null
  /** Up to a moment of the past; null: all. */
  to: Instant | null
  now: Instant
}

/** Every alert that fired, newest first. */
export function HistoryTable({ cluster, to, now }: HistoryProps) {
  const pages = useAlertHistory({
    ...(cluster === null ? {} : { cluster }),
    ...(to === null ? {} : { to: justAfter(to) }),
  })
  const all = pages.data?.pages.flatMap(({ alerts }) => alerts) ?? []
  const rows = to === null ? all : all.map((alert) => asAt(alert, to))
  return (
    <Panel note="newest first" title="History">
      {pages.error !== null && (
        <p className="words pb-2 text-warn" role="alert">
          It could not be read: {pages.error.message}
        </p>
      )}
      {pages.data !== undefined && rows.length === 0 && (
        <p className="border-line border-t py-2 text-sm text-t2">Nothing has fired yet.</p>
      )}
      {rows.length > 0 && (
        <table aria-label="Alerts that fired" className="w-full table-fixed border-collapse text-left text-sm">
          <thead>
            <tr>
              <Head className="w-[128px]">Fired, UTC</Head>
              <Head>What</Head>
              <Head className="w-[112px] max-sm:w-[84px]">Over after</Head>
              <Head className="w-[24%] max-md:hidden">Acknowledged</Head>
            </tr>
          </thead>
          {rows.map((alert) => (
            <Row alert={alert} key={alert.id} now={now} />
          ))}
        </table>
      )}
      <Older pages={pages} what="alerts" />
    </Panel>
  )
}

function Row({ alert, now }: { alert: Alert; now: Instant }) {
  // One that fires is above, where it can be acted on.
  const { ref, isLinked } = useLinked<HTMLTableSectionElement>(alert.id, alert.resolvedAt !== null)
  const [isOpen, setIsOpen] = useState(isLinked)
  const id = useId()
  const { firedAt, acknowledged } = alert
  const at = firedAt ?? alert.since
  return (
    <tbody className={isLinked ? 'bg-s3' : ''} data-fired={alert.id} ref={ref}>
      <tr>
        <td className={CELL}>
          <button
            aria-controls={isOpen ? id : undefined}
            aria-expanded={isOpen}
            aria-label={`${alert.summary}: ${isOpen ? 'hide' : 'show'} who was told`}
            className="flex items-center gap-1 text-left hover:underline max-sm:min-h-11"
            onClick={() => setIsOpen(!isOpen)}
            type="button"
          >
            <ChevronRight aria-hidden="true" className={`shrink-0 text-t2 ${isOpen ? 'rotate-90' : ''}`} size={14} />
            <time dateTime={at} title={at}>
              {whenWords(at, now)}
            </time>
          </button>
        </td>
        <td className={CELL}>
          <span className="flex min-w-0 flex-wrap items-center gap-x-2">
            <AlertMark alert={alert} isQuiet={alert.resolvedAt !== null} />
            <span className="min-w-0">
              <Subject alert={alert} now={now} />
            </span>
          </span>
        </td>
        <td className={CELL}>{alert.resolvedAt === null ? 'still fires' : overWords(alert, now)}</td>
        <td className={`${CELL} max-md:hidden`}>
          {acknowledged === null ? (
            <span className="text-t3">–</span>
          ) : (
            <span className="words wrap-anywhere line-clamp-2" title={acknowledged.comment}>
              {acknowledged.by}
              {acknowledged.comment !== '' && <span className="text-t2">: {acknowledged.comment}</span>}
            </span>
          )}
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={4} id={id}>
            <Told alert={alert} now={now} />
          </td>
        </tr>
      )}
    </tbody>
  )
}

/** What was observed, and who was told of it. */
function Told({ alert, now }: { alert: Alert; now: Instant }) {
  const { data, error, isPending } = useDeliveries({ alertId: alert.id })
  const deliveries = data?.pages.flatMap((page) => page.deliveries) ?? []
  return (
    <div className="pb-2 pl-5 text-sm">
      <p className="words wrap-anywhere text-t2">{alert.detail || alert.summary}</p>
      <Known alert={alert} now={now} silences={[]} />
      {error !== null && <p className="text-warn">Who was told could not be read: {error.message}</p>}
      {isPending && <p className="text-t3">–</p>}
      {data !== undefined && deliveries.length === 0 && (
        <p className="mt-1 text-t2">
          {alert.partOf === null ? 'No channel was told.' : 'No channel was told: another alert says it already.'}
        </p>
      )}
      <ul className="mt-1">
        {deliveries.toReversed().map((delivery) => {
          const { tone, words } = deliveryWords(delivery, now)
          return (
            <li className="words wrap-anywhere" key={`${delivery.channel} ${delivery.id}`}>
              {KIND_WORDS[delivery.kind]} to <b>{delivery.channel}</b>: <span className={TONE_LOOK[tone]}>{words}</span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
