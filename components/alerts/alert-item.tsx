'use client'
import Link from 'next/link'
import { type ReactNode, useId, useState } from 'react'
import { type Alert, runbookPath, type Silence } from '../../lib/election/alerts.ts'
import { elapsedMs, type Instant } from '../../lib/shared/clock.ts'
import { shortDuration } from '../../lib/shared/format.ts'
import { Opener } from '../actions/opener.tsx'
import { momentHref } from '../audit/moment-href.ts'
import { edgeOfAlert, ruleWords } from '../election/alert-glyph.ts'
import { AlertMark } from '../election/alert-mark.tsx'
import { useChosenCluster } from '../ui/use-chosen-cluster.ts'
import type { AlertGroup } from './alert-groups.ts'
import { partsWords, untilWords, whenWords } from './alert-words.ts'
import { Some } from './some.tsx'
import { useLinked } from './use-linked.ts'

export interface AlertAct {
  verb: 'acknowledge' | 'silence'
  alert: Alert
}

interface ItemProps {
  group: AlertGroup
  silences: readonly Silence[]
  now: Instant
  /** Why nothing can be done now; null when it can. */
  refusal: string | null
  onAct: (act: AlertAct) => void
}

const ACTION = 'h-8! px-2.5! text-sm max-sm:h-11!'

/** One alert: what, since when, what was observed, who knows, and what can be done. */
export function AlertItem({ group: { alert, parts }, silences, now, refusal, onAct }: ItemProps) {
  const { ref, isLinked } = useLinked<HTMLElement>(alert.id, true)
  const isQuiet = alert.stage !== 'firing' || alert.silence !== null
  const look = edgeOfAlert(alert.severity, isQuiet || alert.acknowledged !== null)
  return (
    <article
      aria-label={`${ruleWords(alert.rule)}: ${alert.subject}`}
      className={`edge relative grid gap-x-4 gap-y-2 border-line border-t py-3 pr-3 pl-4 sm:grid-cols-[148px_minmax(0,1fr)] xl:grid-cols-[148px_minmax(0,1fr)_auto] ${look} ${isLinked ? 'bg-s3' : ''}`}
      data-alert={alert.id}
      ref={ref}
    >
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 sm:block">
        <AlertMark alert={alert} isQuiet={alert.silence !== null} />
        <Since alert={alert} now={now} />
      </div>
      <div className="min-w-0">
        <Subject alert={alert} now={now} />
        <p className="words wrap-anywhere mt-0.5">
          {sentence(alert.summary)} <span className="text-t2">{alert.detail}</span>
        </p>
        <Known alert={alert} now={now} silences={silences} />
        {parts.length > 0 && <Parts now={now} parts={parts} words={partsWords(alert, parts)} />}
        <Link
          aria-label={`Runbook: ${ruleWords(alert.rule)}`}
          className="link mt-1 inline-block text-sm max-sm:py-2.5"
          href={runbookPath(alert.rule)}
          prefetch={false}
        >
          Runbook
        </Link>
      </div>
      <div className="flex flex-wrap items-start gap-2 max-xl:sm:col-start-2">
        {alert.stage === 'firing' && (
          <Opener className={ACTION} onOpen={() => onAct({ verb: 'acknowledge', alert })} refusal={refusal}>
            {alert.acknowledged === null ? 'Acknowledge…' : 'Acknowledge again…'}
            <span className="sr-only"> {alert.subject}</span>
          </Opener>
        )}
        {alert.silence === null && (
          <Opener className={ACTION} onOpen={() => onAct({ verb: 'silence', alert })} refusal={refusal}>
            Silence…<span className="sr-only"> {alert.subject}</span>
          </Opener>
        )}
      </div>
    </article>
  )
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

function Since({ alert: { since, sinceApproximate, stage }, now }: { alert: Alert; now: Instant }) {
  return (
    <p className="text-sm text-t2">
      <time dateTime={since} title={since}>
        {sinceApproximate && '≈ '}
        {shortDuration(elapsedMs(since, now))}, since {whenWords(since, now)}
      </time>
      {stage === 'pending' && <span className="block">waits to fire</span>}
      {sinceApproximate && <span className="block">time approximate</span>}
    </p>
  )
}

/** An election leads to its page at that moment. */
export function Subject({ alert, now }: { alert: Alert; now: Instant }) {
  const { names } = useChosenCluster()
  const { cluster, ref, subject, since } = alert
  return (
    <p className="words truncate" title={subject}>
      {cluster !== null && ref !== undefined ? (
        <Link
          className="font-semibold hover:underline max-sm:py-1.5"
          href={momentHref(cluster, ref, since, now)}
          prefetch={false}
        >
          {subject}
        </Link>
      ) : (
        <b>{subject}</b>
      )}
      {names.length > 1 && cluster !== null && cluster !== subject && <span className="text-t2"> · {cluster}</span>}
    </p>
  )
}

interface KnownProps {
  alert: Alert
  silences: readonly Silence[]
  now: Instant
}

/** Who knows of it, and what keeps it from being told. */
export function Known({ alert: { acknowledged, silence }, silences, now }: KnownProps) {
  const by = silences.find(({ id }) => id === silence)
  return (
    <>
      {acknowledged !== null && (
        <Line>
          Acknowledged by <b className="text-t1">{acknowledged.by}</b>, {whenWords(acknowledged.at, now)} UTC
          {acknowledged.comment === '' ? '.' : `: ${acknowledged.comment}`}
        </Line>
      )}
      {silence !== null && (
        <Line>
          {by === undefined ? (
            'Silenced.'
          ) : (
            <>
              Silenced by <b className="text-t1">{by.by}</b> {untilWords(by.until, now)}: {by.comment}
            </>
          )}
        </Line>
      )}
    </>
  )
}

const Line = ({ children }: { children: ReactNode }) => (
  <p className="words wrap-anywhere mt-1 text-sm text-t2">{children}</p>
)

/** Told with it, so nobody is told of them. */
function Parts({ parts, now, words }: { parts: readonly Alert[]; now: Instant; words: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  return (
    <div className="mt-1 text-sm">
      <button
        aria-controls={isOpen ? id : undefined}
        aria-expanded={isOpen}
        className="link max-sm:min-h-11"
        onClick={() => setIsOpen(!isOpen)}
        type="button"
      >
        and {words}, said by this alert
      </button>
      {isOpen && (
        <ul className="mt-1 grid gap-1 border-line2 border-l pl-3" id={id}>
          <Some
            all={parts}
            render={(part) => (
              <li className="flex min-w-0 items-center gap-2" key={part.id}>
                <AlertMark alert={part} />
                <span className="min-w-0">
                  <Subject alert={part} now={now} />
                </span>
              </li>
            )}
          />
        </ul>
      )}
    </div>
  )
}
