import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type HttpSink, startHttpSink } from '../../../e2e/harness/http-sink.ts'
import { makeTempFolder, type TempFolder } from '../../../e2e/harness/temp-folder.ts'
import { alertOf, HOSTILE, LINKS, messageOf, resolved } from './message-for-test.ts'
import { eventOf, PagerDuty } from './pagerduty.ts'

let sink: HttpSink
let folder: TempFolder
let routingKeyFile = ''
beforeEach(async () => {
  sink = await startHttpSink()
  sink.answer({ status: 202, body: '{"status":"success"}' })
  folder = makeTempFolder('pagerduty')
  routingKeyFile = join(folder.path, 'key')
  writeFileSync(routingKeyFile, 'R0UTINGKEY\n')
})
afterEach(async () => {
  await sink.stop()
  folder.remove()
})

const never = new AbortController().signal
const channel = () =>
  new PagerDuty({ name: 'pager', severities: ['critical'], routingKeyFile, url: `${sink.url}/v2/enqueue` })
const sent = () => sink.requests.map(({ body }) => JSON.parse(body))

test('an alert opens an incident under its key', async () => {
  await channel().send(messageOf(), never)
  expect(sink.requests[0]?.path).toBe('/v2/enqueue')
  expect(sent()).toEqual([
    {
      routing_key: 'R0UTINGKEY',
      event_action: 'trigger',
      dedup_key: 'tenure/prod-eu/leaderless/7088b9ac21585216',
      client: 'Tenure',
      client_url: LINKS.alert,
      links: [
        { href: LINKS.alert, text: 'Open in Tenure' },
        { href: LINKS.runbook, text: 'What to do' },
      ],
      payload: {
        summary: 'Critical: billing/settlement has no leader',
        source: 'prod-eu',
        severity: 'critical',
        timestamp: '2026-03-12T02:14:07.120Z',
        component: 'billing/settlement',
        class: 'leaderless',
        custom_details: {
          detail: 'No candidate holds it. 2 candidates wait.',
          course: 'Since 2026-03-12 02:14:07 UTC.',
        },
      },
    },
  ])
})

test('a reminder is of the same incident; the end closes it', async () => {
  await channel().send(messageOf({ kind: 'reminder' }), never)
  await channel().send(messageOf({ kind: 'resolved', alert: resolved() }), never)
  expect(sent()).toMatchObject([{ event_action: 'trigger' }, { event_action: 'resolve' }])
  expect(sent()[1]).toEqual({ routing_key: 'R0UTINGKEY', event_action: 'resolve', dedup_key: sent()[0].dedup_key })
})

test('a test closes what it opened', async () => {
  await channel().send(messageOf({ kind: 'test' }), never)
  expect(sent().map(({ event_action }) => event_action)).toEqual(['trigger', 'resolve'])
})

test('the key is a secret, also where it is repeated', async () => {
  sink.answer(({ body }) => ({ status: 400, body: `{"status":"invalid event","event":${body}}` }))
  const error = await channel()
    .send(messageOf(), never)
    .catch((thrown) => thrown)
  expect(error).toMatchObject({ permanent: true })
  expect(error.message).toContain('answered 400: {"status":"invalid event"')
  expect(error.message).not.toContain('R0UTINGKEY')
})

test('too many events are sent again later', async () => {
  sink.answer({ status: 429, headers: { 'retry-after': '30' } })
  await expect(channel().send(messageOf(), never)).rejects.toMatchObject({ permanent: false, retryAfterMs: 30_000 })
})

test.each(Object.entries(HOSTILE))('text of strangers is on one line and not too long: %s (RC-25)', (_, text) => {
  const alert = alertOf({ subject: text, summary: text, detail: text, cluster: null })
  const event = eventOf(messageOf({ alert }), 'trigger') as unknown as {
    payload: { summary: string; component: string; source: string; custom_details: { detail: string } }
  }
  expect(event.payload.source).toBe('tenure')
  expect(event.payload.summary.length).toBeLessThanOrEqual(1_024)
  expect(JSON.stringify(event)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]|\\u00|\\n/u)
})
