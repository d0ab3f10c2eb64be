import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startHttpSink } from '../../../e2e/harness/http-sink.ts'
import { startSmtpSink } from '../../../e2e/harness/smtp-sink.ts'
import { makeTempFolder } from '../../../e2e/harness/temp-folder.ts'
import { systemClock } from '../../../lib/shared/clock.ts'
import { channelsSchema } from '../../config/alert-channels.ts'
import { FakeOutbox } from '../../history/fake-outbox.ts'
import { Dispatcher } from '../delivery/dispatcher.ts'
import { openChannels } from './open-channels.ts'

test('each channel of the configuration sends, with secrets from files beside it, and says where without them', async () => {
  const folder = makeTempFolder('channels')
  const sink = await startHttpSink()
  const mail = await startSmtpSink({ login: { user: 'tenure', password: 'pass-word' } })
  mkdirSync(join(folder.path, 'secrets'))
  const secrets = {
    token: 't0ken',
    hook: 'h00k',
    slack: `${sink.url}/slack/XSECRET`,
    pager: 'R0UTE',
    mail: 'pass-word',
  }
  for (const [name, secret] of Object.entries(secrets)) writeFileSync(join(folder.path, 'secrets', name), secret)
  const config = channelsSchema.parse([
    { name: 'am', type: 'alertmanager', urls: [sink.url], tokenFile: 'secrets/token' },
    { name: 'hook', type: 'webhook', url: `${sink.url}/hook`, secretFile: 'secrets/hook' },
    { name: 'chat', type: 'slack', urlFile: 'secrets/slack' },
    { name: 'pager', type: 'pagerduty', url: `${sink.url}/pager`, routingKeyFile: 'secrets/pager' },
    {
      name: 'mail',
      type: 'email',
      server: `smtp://127.0.0.1:${mail.port}`,
      user: 'tenure',
      passwordFile: join(folder.path, 'secrets', 'mail'),
      from: 'tenure@example.org',
      to: ['u1@example.org', 'u2@example.org'],
    },
  ])
  const channels = openChannels(config, { folder: folder.path, clock: systemClock })
  const dispatcher = new Dispatcher({
    channels,
    outbox: new FakeOutbox(),
    standing: () => [],
    clock: systemClock,
    log: { info: () => {}, warn: () => {}, error: () => {} },
  })
  for (const { name } of channels) expect(await dispatcher.test(name), name).toMatchObject({ delivered: true })
  expect(sink.requests.map(({ path }) => path)).toEqual([
    '/api/v2/alerts',
    '/hook',
    '/slack/XSECRET',
    '/pager',
    '/pager',
  ])
  expect(mail.mails.map(({ to, user }) => [to, user])).toEqual([[['u1@example.org', 'u2@example.org'], 'tenure']])
  const shapes = JSON.stringify(dispatcher.shapes())
  for (const secret of ['t0ken', 'h00k', 'XSECRET', 'R0UTE', 'pass-word']) expect(shapes).not.toContain(secret)
  expect(dispatcher.shapes().map(({ to }) => to)).toEqual([
    ...Array<string>(4).fill(new URL(sink.url).host),
    'u1@example.org, u2@example.org',
  ])
  await Promise.all([sink.stop(), mail.stop()])
  folder.remove()
})
