'use client'
import type { ChannelShape } from '../../lib/election/alerts.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { milliseconds } from '../../lib/shared/format.ts'
import { Panel } from '../failovers/panel.tsx'
import { type TestResult, useTestChannel } from '../live/alerts.ts'
import { CHANNEL_WORDS, channelWords } from './alert-words.ts'
import { SmallOpener } from './small-opener.tsx'
import { TONE_LOOK } from './tone-text.ts'

interface ChannelsProps {
  channels: readonly ChannelShape[] | undefined
  now: Instant
  refusal: string | null
}

/** Where alerts are told, and whether that works. */
export function ChannelsPanel({ channels, now, refusal }: ChannelsProps) {
  return (
    <Panel title="Channels">
      {channels === undefined && <p className="border-line border-t py-2 text-t3">–</p>}
      {channels?.length === 0 && <NoChannels />}
      <ul>
        {channels?.map((channel) => (
          <Channel channel={channel} key={channel.name} now={now} refusal={refusal} />
        ))}
      </ul>
    </Panel>
  )
}

function NoChannels() {
  return (
    <div className="border-line border-t py-2 text-sm">
      <p className="font-semibold">No channels are configured.</p>
      <p className="mt-0.5 text-t2">
        Alerts are told on these pages alone. To tell Alertmanager, a webhook, Slack, PagerDuty or people by e-mail,
        name them under <code className="bytes text-t1">alerts.channels</code> in{' '}
        <code className="bytes text-t1">tenure.yaml</code> and restart Tenure.
      </p>
    </div>
  )
}

function severitiesWords({ severities }: ChannelShape): string {
  return severities.length === 2 ? '' : ` · ${severities.join(', ')} only`
}

function Channel({ channel, now, refusal }: { channel: ChannelShape; now: Instant; refusal: string | null }) {
  const test = useTestChannel()
  const { tone, words } = channelWords(channel, now)
  return (
    <li className="border-line border-t py-2 text-sm" data-channel={channel.name}>
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <p className="words truncate" title={`${channel.name}: ${channel.to}`}>
            <b>{channel.name}</b>{' '}
            <span className="text-t2">
              {CHANNEL_WORDS[channel.type]}
              {severitiesWords(channel)}
            </span>
          </p>
          <p className="words truncate text-t2" title={channel.to}>
            {channel.to}
          </p>
          <p className={`words wrap-anywhere ${TONE_LOOK[tone]}`}>{words}</p>
        </div>
        <SmallOpener
          onOpen={() => test.mutate({ channel: channel.name })}
          refusal={refusal ?? (test.isPending ? 'A test is on its way.' : null)}
        >
          Send test<span className="sr-only"> to {channel.name}</span>
        </SmallOpener>
      </div>
      <p className="words wrap-anywhere mt-0.5" role="status">
        {test.isPending && <span className="text-t2">Sending a test…</span>}
        {test.error !== null && <span className="text-crit">Not sent: {test.error.message}</span>}
        {test.data !== undefined && !test.isPending && <Came result={test.data} />}
      </p>
    </li>
  )
}

function Came({ result: { delivered, error, tookMs } }: { result: TestResult }) {
  return delivered ? (
    <span className="text-ok">Test delivered in {milliseconds(tookMs)}.</span>
  ) : (
    <span className="text-crit">
      Test not delivered after {milliseconds(tookMs)}: {error ?? 'no reason was given'}
    </span>
  )
}
