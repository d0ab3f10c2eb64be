'use client'
import Link from 'next/link'
import { useState } from 'react'
import type { Alert, Silence } from '../../lib/election/alerts.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { StatusMark } from '../election/status-mark.tsx'
import { Panel } from '../failovers/panel.tsx'
import { AcknowledgeDialog } from './acknowledge-dialog.tsx'
import { type AlertGroup, groupsOf } from './alert-groups.ts'
import { type AlertAct, AlertItem } from './alert-item.tsx'
import { SilenceDialog } from './silence-dialog.tsx'
import { Some } from './some.tsx'

interface ListProps {
  alerts: readonly Alert[]
  silences: readonly Silence[]
  now: Instant
  refusal: string | null
  isPast: boolean
}

/** What fires, then what nobody is told of: what is silenced and what waits. */
export function AlertList({ alerts, isPast, ...rest }: ListProps) {
  const [act, setAct] = useState<AlertAct | null>(null)
  const groups = groupsOf(alerts)
  const firing = groups.filter(({ alert }) => alert.stage === 'firing' && alert.silence === null)
  const silenced = groups.filter(({ alert }) => alert.stage === 'firing' && alert.silence !== null)
  const pending = groups.filter(({ alert }) => alert.stage === 'pending')
  const item = (group: AlertGroup) => <AlertItem group={group} key={group.alert.id} {...rest} onAct={setAct} />
  const close = () => setAct(null)
  return (
    <>
      <Panel title={isPast ? 'Fired then' : 'Firing'} {...noteOf(firing.length, 'worst first')}>
        {firing.length === 0 && <Calm isPast={isPast} />}
        <Some all={firing} render={item} />
      </Panel>
      {silenced.length > 0 && (
        <Panel note="fires, and nobody is told" title="Silenced">
          <Some all={silenced} render={item} />
        </Panel>
      )}
      {pending.length > 0 && (
        <Panel note="not yet for as long as its rule waits" title="Waiting to fire">
          <Some all={pending} render={item} />
        </Panel>
      )}
      {act?.verb === 'acknowledge' && <AcknowledgeDialog alert={act.alert} onClose={close} />}
      {act?.verb === 'silence' && <SilenceDialog alert={act.alert} alerts={alerts} onClose={close} />}
    </>
  )
}

const noteOf = (n: number, note: string) => (n > 1 ? { note } : {})

function Calm({ isPast }: { isPast: boolean }) {
  return (
    <div className="flex items-center gap-2 border-line border-t py-4 text-t2">
      <StatusMark compact status="healthy" />
      <p>
        By the{' '}
        <Link className="link" href="/runbooks" prefetch={false}>
          rules for alerts
        </Link>{' '}
        {isPast ? 'nothing was wrong then.' : 'nothing is wrong.'}
      </p>
    </div>
  )
}
