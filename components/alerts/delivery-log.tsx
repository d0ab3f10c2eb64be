'use client'
import { useState } from 'react'
import type { ChannelShape, Delivery } from '../../lib/election/alerts.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { Panel } from '../failovers/panel.tsx'
import { useDeliveries } from '../live/alerts.ts'
import { deliveryWords, KIND_WORDS, whenWords } from './alert-words.ts'
import { Picked } from './picked.tsx'
import { CELL, Head, Older } from './table-parts.tsx'
import { TONE_LOOK } from './tone-text.ts'

/** Every message to every channel, newest first, with what came of it. */
export function DeliveryLog({ channels, now }: { channels: readonly ChannelShape[]; now: Instant }) {
  const [channel, setChannel] = useState('')
  const pages = useDeliveries(channel === '' ? {} : { channel })
  const rows = pages.data?.pages.flatMap(({ deliveries }) => deliveries) ?? []
  return (
    <Panel
      action={
        channels.length > 1 && (
          <Picked
            all="All channels"
            className="w-44"
            label="Channel"
            labelHidden
            onChange={setChannel}
            options={channels.map(({ name }) => ({ value: name, label: name }))}
            value={channel}
          />
        )
      }
      note="newest first"
      title="Deliveries"
    >
      {pages.error !== null && (
        <p className="words pb-2 text-warn" role="alert">
          They could not be read: {pages.error.message}
        </p>
      )}
      {pages.data !== undefined && rows.length === 0 && (
        <p className="border-line border-t py-2 text-sm text-t2">Nothing was sent yet.</p>
      )}
      {rows.length > 0 && (
        <table aria-label="Deliveries" className="w-full table-fixed border-collapse text-left text-sm">
          <thead>
            <tr>
              <Head className="w-[112px]">Time, UTC</Head>
              <Head className="w-[110px] max-sm:hidden">Channel</Head>
              <Head className="w-[84px] max-sm:hidden">Kind</Head>
              <Head>What</Head>
              <Head className="w-[34%]">Outcome</Head>
            </tr>
          </thead>
          <tbody>
            {rows.map((delivery) => (
              <Row delivery={delivery} key={`${delivery.channel} ${delivery.id}`} now={now} />
            ))}
          </tbody>
        </table>
      )}
      <Older pages={pages} what="deliveries" />
    </Panel>
  )
}

function Row({ delivery, now }: { delivery: Delivery; now: Instant }) {
  const { at, channel, kind, summary } = delivery
  const { tone, words } = deliveryWords(delivery, now)
  return (
    <tr data-delivery={delivery.id}>
      <td className={CELL}>
        <time dateTime={at} title={at}>
          {whenWords(at, now)}
        </time>
      </td>
      <td className={`${CELL} max-sm:hidden`}>
        <span className="words block truncate" title={channel}>
          {channel}
        </span>
      </td>
      <td className={`${CELL} max-sm:hidden`}>{KIND_WORDS[kind]}</td>
      <td className={CELL}>
        <span className="words wrap-anywhere line-clamp-2" title={summary}>
          <span className="text-t2 sm:hidden">
            {channel}, {KIND_WORDS[kind].toLowerCase()}:{' '}
          </span>
          {summary}
        </span>
      </td>
      <td className={CELL}>
        <span className={`words wrap-anywhere line-clamp-3 ${TONE_LOOK[tone]}`} title={words}>
          {words}
        </span>
      </td>
    </tr>
  )
}
