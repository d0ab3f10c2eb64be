'use client'
import type { Alert } from '../../lib/election/alerts.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { count, timeOfDay } from '../../lib/shared/format.ts'
import type { Sentence } from '../election/list-sentence.ts'
import { Panel } from '../failovers/panel.tsx'
import { useAlerts, useAlertsAt, useAlertsFollowed, useWhyNotAlerts } from '../live/alerts.ts'
import { wordsOfRefusal } from '../live/may.ts'
import { useConnection, usePastAt, useServerNow } from '../live/use-live.ts'
import { useChosenCluster } from '../ui/use-chosen-cluster.ts'
import { firingAt } from './alert-groups.ts'
import { AlertList } from './alert-list.tsx'
import { alertsSentence, pastSentence } from './alerts-sentence.ts'
import { AlertsTrouble, NotSaved, WaitingAlerts } from './alerts-states.tsx'
import { BrowserPanel } from './browser-panel.tsx'
import { ChannelsPanel } from './channels-panel.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { HistoryTable } from './history-table.tsx'
import { SilencesPanel } from './silences-panel.tsx'

const NO_TIME = '1970-01-01T00:00:00.000Z'
const COLUMNS = 'grid lg:grid-cols-[minmax(0,1fr)_360px] xl:grid-cols-[minmax(0,1fr)_400px]'
const SIDE = 'min-w-0 divide-y divide-line border-line bg-s1 max-lg:border-t lg:border-l'

/** What is wrong by the rules, who was told, and what is kept quiet. */
export function AlertsPage() {
  const pastAt = usePastAt()
  const { chosen } = useChosenCluster()
  return pastAt === null ? <Now cluster={chosen} /> : <Then at={pastAt} cluster={chosen} />
}

function Now({ cluster }: { cluster: string | null }) {
  const now = useServerNow(1)
  const connection = useConnection()
  const refusal = wordsOfRefusal(useWhyNotAlerts('alerts'))
  const noTest = wordsOfRefusal(useWhyNotAlerts('testChannel'))
  useAlertsFollowed()
  const { data, error, refetch } = useAlerts(scopeOf(cluster), connection.state !== 'connecting')
  const lostSince = connection.state === 'reconnecting' ? connection.since : null
  const isLost = connection.state === 'reconnecting'
  const at = now ?? data?.serverTime ?? NO_TIME
  const sentence = data === undefined ? { strong: '–', rest: '' } : alertsSentence(data, at)
  const { alerts = [], silences, channels } = data ?? {}
  return (
    <div className="pb-8">
      <Lede asOf={isLost ? lostSince : null} sentence={sentence} />
      {error !== null && <AlertsTrouble error={error} isShowing={data !== undefined} onRetry={() => void refetch()} />}
      {data?.problem != null && <NotSaved problem={data.problem} />}
      <div className={`${COLUMNS} ${isLost ? 'stale' : ''}`}>
        <div className="min-w-0 divide-y divide-line">
          {data === undefined && error === null && <WaitingAlerts />}
          {data !== undefined && (
            <div>
              <AlertList alerts={alerts} isPast={false} now={at} refusal={refusal} silences={data.silences} />
              {data.more > 0 && (
                <p className="border-line border-t px-5 py-3 text-t2 max-sm:px-4">
                  {count(data.more, 'more alert')} {data.more === 1 ? 'is' : 'are'} not listed here.
                </p>
              )}
            </div>
          )}
          {/* Below what comes first: there already, they would be pushed down by it. */}
          {data !== undefined && <HistoryTable cluster={cluster} now={at} to={null} />}
          {data !== undefined && <DeliveryLog channels={channels ?? []} now={at} />}
        </div>
        <div className={`${SIDE} ${data === undefined && error === null ? 'max-lg:hidden' : ''}`}>
          <SilencesPanel alerts={alerts} now={at} refusal={refusal} silences={silences} />
          <ChannelsPanel channels={channels} now={at} refusal={noTest} />
          <BrowserPanel />
        </div>
      </div>
    </div>
  )
}

const scopeOf = (cluster: string | null) => (cluster === null ? {} : { cluster })

/** From history: who was silenced or reachable then is not kept. */
function Then({ at, cluster }: { at: Instant; cluster: string | null }) {
  const refusal = wordsOfRefusal(useWhyNotAlerts('alerts'))
  const { data, error, refetch } = useAlertsAt(scopeOf(cluster), at)
  const alerts: Alert[] | null = data === undefined ? null : firingAt(data.alerts, at)
  return (
    <div className="pb-8">
      <Lede asOf={null} sentence={alerts === null ? { strong: '–', rest: '' } : pastSentence(alerts, at)} />
      {error !== null && <AlertsTrouble error={error} isShowing={data !== undefined} onRetry={() => void refetch()} />}
      <div className={COLUMNS}>
        <div className="min-w-0 divide-y divide-line">
          {alerts === null && error === null && <WaitingAlerts />}
          {alerts !== null && (
            <div>
              <AlertList alerts={alerts} isPast now={at} refusal={refusal} silences={[]} />
            </div>
          )}
          <HistoryTable cluster={cluster} now={at} to={at} />
        </div>
        <div className={SIDE}>
          <Panel title="Silences and channels">
            <p className="border-line border-t py-2 text-sm text-t2">
              Not kept: what waited to fire then, what was silenced, and how the channels did.
            </p>
          </Panel>
        </div>
      </div>
    </div>
  )
}

function Lede({ sentence: { strong, rest }, asOf }: { sentence: Sentence; asOf: Instant | null }) {
  return (
    <h1
      aria-live="polite"
      className={`words border-line border-b px-5 py-[15px] font-display text-2xl text-t2 max-sm:px-4 max-sm:text-xl ${asOf === null ? '' : 'stale'}`}
    >
      {asOf !== null && `As of ${timeOfDay(asOf)} UTC: `}
      <b className="text-t1">{strong}</b>
      {rest}
    </h1>
  )
}
