import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AlertmanagerServer, startAlertmanager, webhookConfig } from '../../../e2e/harness/alertmanager.ts'
import { type HttpSink, startHttpSink } from '../../../e2e/harness/http-sink.ts'
import { freePort } from '../../../e2e/harness/ports.ts'
import { makeTempFolder } from '../../../e2e/harness/temp-folder.ts'
import type { Alert } from '../../../lib/election/alerts.ts'
import { refOf } from '../../../lib/election/ids.ts'
import { latin1, utf8 } from '../../../lib/shared/bytes.ts'
import { instant, systemClock } from '../../../lib/shared/clock.ts'
import { alertmanagerMissing } from '../../../scripts/setup/find-alertmanager.ts'
import { FakeOutbox } from '../../history/fake-outbox.ts'
import { Dispatcher } from '../delivery/dispatcher.ts'
import { Alertmanager } from './alertmanager.ts'
import type { Standing } from './channel.ts'
import { alertOf, HOSTILE, LINKS } from './message-for-test.ts'

const missing = alertmanagerMissing()
const never = new AbortController().signal
const now = (offMs = 0) => instant(Date.now() + offMs)

interface Notification {
  status: 'firing' | 'resolved'
  groupLabels: Record<string, string>
  alerts: { status: 'firing' | 'resolved'; labels: Record<string, string>; fingerprint: string }[]
}

describe.skipIf(missing)(`a real Alertmanager${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let server: AlertmanagerServer
  let sink: HttpSink
  beforeAll(async () => {
    sink = await startHttpSink()
    server = await startAlertmanager(webhookConfig(`${sink.url}/notify`))
  })
  afterAll(async () => {
    await server?.stop()
    await sink?.stop()
  })

  const channelOf = (everyMs = 60_000, urls = [server.url]) =>
    new Alertmanager({ name: 'am', severities: ['critical', 'warning'], urls, everyMs })
  const standing = (...alerts: Alert[]): Standing[] => alerts.map((alert) => ({ alert, links: LINKS }))
  const firing = (key: string, change: Partial<Alert> = {}) => alertOf({ key, since: now(-30_000), ...change })
  const held = async (key: string) => (await server.alerts()).filter(({ labels }) => labels.key === key)
  const notified = (key: string) =>
    sink.requests
      .flatMap(({ body }) => (JSON.parse(body) as Notification).alerts)
      .filter(({ labels }) => labels.key === key)
      .map(({ status }) => status)

  test('receives, with everything that was said', async () => {
    const alert = firing('receives')
    expect(await channelOf().push(standing(alert), now(), never)).toBeNull()
    const [got] = await held('receives')
    expect(got).toMatchObject({
      labels: { alertname: 'TenureLeaderless', cluster: 'prod-eu', election: 'billing/settlement/' },
      annotations: { summary: 'billing/settlement has no leader', runbook_url: LINKS.runbook },
      generatorURL: LINKS.alert,
      status: { silencedBy: [] },
    })
    expect(Date.parse(got?.startsAt ?? '')).toBe(Date.parse(alert.since))
    expect(Date.parse(got?.endsAt ?? '') - Date.now()).toBeGreaterThan(200_000)
  })

  test('groups what belongs together, and tells it on', async () => {
    const alerts = ['one', 'two'].map((key) => firing(key, { rule: 'no-standby', cluster: 'groups' }))
    await channelOf().push(standing(...alerts, firing('other', { cluster: 'elsewhere' })), now(), never)
    await expect.poll(() => notified('two'), { timeout: 10_000 }).toEqual(['firing'])
    const groups = await server.groups()
    const group = groups.find(({ labels }) => labels.cluster === 'groups')
    expect(group?.labels).toEqual({ alertname: 'TenureNoStandby', cluster: 'groups' })
    expect(group?.alerts.map(({ labels }) => labels.key).sort()).toEqual(['one', 'two'])
  })

  test('takes two pushes, a restart between them, for one alert', async () => {
    const alert = firing('twice')
    await channelOf().push(standing(alert), now(), never)
    const [first] = await held('twice')
    await channelOf().push(standing({ ...alert, detail: 'Seen again after a restart.' }), now(), never)
    const [second, ...others] = await held('twice')
    expect(others).toEqual([])
    expect(second?.fingerprint).toBe(first?.fingerprint)
    expect(second?.startsAt).toBe(first?.startsAt)
    expect(second?.annotations.description).toContain('Seen again')
  })

  test('resolves what it is told is over, and takes its return for another time of the same', async () => {
    const alert = firing('over')
    await channelOf().push(standing(alert), now(), never)
    await expect.poll(() => notified('over'), { timeout: 10_000 }).toEqual(['firing'])
    const [before] = await held('over')
    const over: Alert = { ...alert, stage: 'resolved', resolvedAt: now() }
    await channelOf().push(standing(over), now(), never)
    await expect.poll(() => notified('over'), { timeout: 10_000 }).toEqual(['firing', 'resolved'])
    expect(await held('over')).toEqual([])
    await channelOf().push(standing(over, { ...firing('over'), id: 'a2', since: now() }), now(), never)
    expect((await held('over')).map(({ fingerprint }) => fingerprint)).toEqual([before?.fingerprint])
  })

  test('resolves by itself what a Tenure that died says no more, and not while it lives', async () => {
    const dispatcher = new Dispatcher({
      channels: [channelOf(1_000)],
      outbox: new FakeOutbox(),
      standing: () => standing(firing('dies')),
      clock: systemClock,
      log: { info: () => {}, warn: () => {}, error: () => {} },
    })
    dispatcher.start()
    // Longer than one push would last.
    await pause(5_000)
    expect(await held('dies')).toHaveLength(1)
    expect(notified('dies')).toEqual(['firing'])
    await dispatcher.stop()
    await expect.poll(() => held('dies'), { timeout: 10_000 }).toEqual([])
    await expect.poll(() => notified('dies'), { timeout: 10_000 }).toEqual(['firing', 'resolved'])
  })

  test('takes names that hold anything (RC-25)', async () => {
    const alerts = Object.entries(HOSTILE).map(([name, text]) => {
      const ref = refOf('queue', latin1(utf8(text)))
      return firing(`hostile-${name}`, { ref, subject: text, summary: text, detail: text })
    })
    expect(await channelOf().push(standing(...alerts), now(), never)).toBeNull()
    const got = (await server.alerts()).filter(({ labels }) => labels.key?.startsWith('hostile-'))
    expect(got).toHaveLength(alerts.length)
    for (const { labels, annotations } of got) {
      expect(`${labels.election}${annotations.summary}`).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    }
    const ofChannel = got.find(({ labels }) => labels.key === 'hostile-channel')
    expect(ofChannel?.labels.election).toBe(HOSTILE.channel)
  })

  test('gets it also while another one is down, whose trouble is told', async () => {
    const down = `http://127.0.0.1:${await freePort()}`
    const told = await channelOf(60_000, [down, server.url]).push(standing(firing('half')), now(), never)
    expect(told).toMatch(/^127\.0\.0\.1:\d+ cannot be reached: ECONNREFUSED$/)
    expect(await held('half')).toHaveLength(1)
  })

  test('shows a test for what it is, for a minute at most', async () => {
    const dispatcher = new Dispatcher({
      channels: [channelOf()],
      outbox: new FakeOutbox(),
      standing: () => [],
      clock: systemClock,
      log: { info: () => {}, warn: () => {}, error: () => {} },
    })
    expect(await dispatcher.test('am')).toMatchObject({ delivered: true })
    const [got] = await held('tenure-test/am')
    expect(got?.labels).toMatchObject({ alertname: 'TenureTest', severity: 'warning' })
    const leftMs = Date.parse(got?.endsAt ?? '') - Date.now()
    expect(leftMs).toBeGreaterThan(50_000)
    expect(leftMs).toBeLessThanOrEqual(60_000)
  })

  test('that asks who it is is told, with the password that the file holds then', async () => {
    const login = {
      user: 'tenure',
      password: 'pass-word',
      bcrypt: '$2b$04$LlUX80e7F3djF0aZ8sYGy.PrY2AW0jdnaC2yaXYxMOOCb/93c5mH2',
    }
    const guarded = await startAlertmanager(webhookConfig(`${sink.url}/notify`), { login })
    const folder = makeTempFolder('password')
    const passwordFile = join(folder.path, 'password')
    writeFileSync(passwordFile, 'old-password')
    const common = { name: 'am', severities: ['critical'], urls: [guarded.url], everyMs: 60_000 } as const
    const channel = new Alertmanager({ ...common, user: 'tenure', passwordFile })
    await expect(channel.push(standing(firing('guarded')), now(), never)).rejects.toMatchObject({
      permanent: false,
      message: expect.stringMatching(/answered 401/),
    })
    writeFileSync(passwordFile, 'pass-word')
    await channel.push(standing(firing('guarded')), now(), never)
    expect(await guarded.alerts()).toHaveLength(1)
    await guarded.stop()
    folder.remove()
  })

  test('that hangs is left after the deadline, and gets everything once it answers', async () => {
    server.freeze()
    const startedAt = performance.now()
    await expect(channelOf().push(standing(firing('hangs')), now(), never)).rejects.toThrow(
      'did not answer within 10 s',
    )
    expect(performance.now() - startedAt).toBeLessThan(12_000)
    server.thaw()
    await channelOf().push(standing(firing('hangs')), now(), never)
    expect(await held('hangs')).toHaveLength(1)
  })
})
