import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type HttpSink, startHttpSink } from '../../../e2e/harness/http-sink.ts'
import { freePort } from '../../../e2e/harness/ports.ts'
import { makeTempFolder, type TempFolder } from '../../../e2e/harness/temp-folder.ts'
import { ALERT_RULES } from '../../../lib/election/alerts.ts'
import { Alertmanager, alertName, labelsOf } from './alertmanager.ts'
import { alertOf, LINKS, resolved } from './message-for-test.ts'

let sink: HttpSink
let folder: TempFolder
beforeEach(async () => {
  sink = await startHttpSink()
  folder = makeTempFolder('alertmanager')
})
afterEach(async () => {
  await sink.stop()
  folder.remove()
})

const NOW = '2026-03-12T02:20:00.000Z'
const never = new AbortController().signal
const channelOf = (urls: readonly string[], tokenFile?: string) =>
  new Alertmanager({ name: 'am', severities: ['critical'], urls, everyMs: 60_000, tokenFile })
const stands = (...alerts: ReturnType<typeof alertOf>[]) => alerts.map((alert) => ({ alert, links: LINKS }))
const posted = (nth = 0) => JSON.parse(sink.requests[nth]?.body ?? '[]')

test('an alert as Alertmanager expects it', async () => {
  await channelOf([`${sink.url}/prefix/`]).push(stands(alertOf()), NOW, never)
  expect(sink.requests[0]).toMatchObject({ method: 'POST', path: '/prefix/api/v2/alerts' })
  expect(posted()).toEqual([
    {
      labels: {
        alertname: 'TenureLeaderless',
        severity: 'critical',
        rule: 'leaderless',
        cluster: 'prod-eu',
        election: 'billing/settlement/',
        ref: 'q~YmlsbGluZy9zZXR0bGVtZW50Lw',
        key: 'tenure/prod-eu/leaderless/7088b9ac21585216',
      },
      annotations: {
        summary: 'billing/settlement has no leader',
        description:
          'No candidate holds it. 2 candidates wait.\nSince 2026-03-12 02:14:07 UTC.\nCluster: prod-eu · Election: billing/settlement',
        runbook_url: LINKS.runbook,
      },
      startsAt: '2026-03-12T02:14:07.120Z',
      endsAt: '2026-03-12T02:24:00.000Z',
      generatorURL: LINKS.alert,
    },
  ])
})

test('one that is over says when it ended; without a public address there are no links', async () => {
  const standing = [{ alert: resolved({ cluster: null, ref: undefined }), links: { alert: null, runbook: null } }]
  await channelOf([sink.url]).push(standing, NOW, never)
  const [alert] = posted()
  expect(alert.endsAt).toBe('2026-03-12T02:18:19.500Z')
  expect(alert).not.toHaveProperty('generatorURL')
  expect(alert.annotations).not.toHaveProperty('runbook_url')
  expect(Object.keys(alert.labels).sort()).toEqual(['alertname', 'key', 'rule', 'severity'])
})

test('its names are as Prometheus people write them, and all differ', () => {
  expect(alertName('leader-without-lease')).toBe('TenureLeaderWithoutLease')
  const names = ALERT_RULES.map(alertName)
  expect(new Set(names).size).toBe(ALERT_RULES.length)
  for (const name of names) expect(name).toMatch(/^Tenure([A-Z][a-z]+)+$/)
})

test('the same trouble has the same labels, whatever else has changed', () => {
  const later = alertOf({
    id: 'a2',
    since: NOW,
    firedAt: NOW,
    summary: 'another',
    detail: 'other',
    sinceApproximate: true,
    acknowledged: { by: 'u1', at: NOW, comment: 'on it' },
  })
  expect(labelsOf(later)).toEqual(labelsOf(alertOf()))
  expect(labelsOf(resolved())).toEqual(labelsOf(alertOf()))
  expect(labelsOf(alertOf({ key: 'other' }))).not.toEqual(labelsOf(alertOf()))
})

test('trouble that has come back is told as it is now, not as it was', async () => {
  const back = alertOf({ id: 'a2', since: '2026-03-12T02:19:00.000Z' })
  await channelOf([sink.url]).push(stands(resolved(), back), NOW, never)
  await channelOf([sink.url]).push(stands(back, resolved()), NOW, never)
  for (const nth of [0, 1]) {
    expect(posted(nth)).toHaveLength(1)
    expect(posted(nth)[0].startsAt).toBe(back.since)
  }
})

test('many are sent in batches; one batch that is refused does not keep the others back', async () => {
  const alerts = Array.from({ length: 150 }, (_, nth) => alertOf({ key: `k${nth}` }))
  sink.answer(({ body }) => ({ status: body.includes('"k70"') ? 400 : 200, body: 'bad label' }))
  const error = await channelOf([sink.url])
    .push(stands(...alerts), NOW, never)
    .catch((thrown) => thrown)
  expect(sink.requests.map((_, nth) => posted(nth).length)).toEqual([64, 64, 22])
  expect(error).toMatchObject({ name: 'DeliveryError', permanent: true })
  expect(error.message).toContain('answered 400: bad label')
})

test('of several, those that answer get it, and the trouble of the others is told', async () => {
  const down = `http://127.0.0.1:${await freePort()}`
  expect(await channelOf([down, sink.url]).push(stands(alertOf()), NOW, never)).toContain('ECONNREFUSED')
  expect(posted()).toHaveLength(1)
  sink.answer({ status: 503, headers: { 'retry-after': '20' } })
  await expect(channelOf([down, sink.url]).push(stands(alertOf()), NOW, never)).rejects.toMatchObject({
    permanent: false,
    retryAfterMs: 20_000,
    message: expect.stringMatching(/ECONNREFUSED.*answered 503/),
  })
})

test('the token is read each time, shown, and never told', async () => {
  const tokenFile = join(folder.path, 'token')
  writeFileSync(tokenFile, 'first-token\n')
  const channel = channelOf([sink.url], tokenFile)
  await channel.push(stands(alertOf()), NOW, never)
  writeFileSync(tokenFile, 'second-token\n')
  sink.answer(({ headers }) => ({ status: 401, body: `not allowed: ${headers.authorization}` }))
  const error = await channel.push(stands(alertOf()), NOW, never).catch((thrown) => thrown)
  expect(sink.requests.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer first-token',
    'Bearer second-token',
  ])
  expect(error.message).toContain('answered 401: not allowed: Bearer [secret]')
  writeFileSync(tokenFile, '')
  await expect(channel.push(stands(alertOf()), NOW, never)).rejects.toThrow(
    `cannot read the token of channel am from ${tokenFile}: the file is empty`,
  )
})
