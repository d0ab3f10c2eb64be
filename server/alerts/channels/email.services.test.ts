import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Authority, makeAuthority } from '../../../e2e/harness/certificates.ts'
import { freePort } from '../../../e2e/harness/ports.ts'
import { type SmtpSink, type SmtpSinkOptions, startSmtpSink } from '../../../e2e/harness/smtp-sink.ts'
import { makeTempFolder, type TempFolder } from '../../../e2e/harness/temp-folder.ts'
import { Email, type EmailOptions } from './email.ts'
import { alertOf, HOSTILE, LINKS, messageOf, resolved } from './message-for-test.ts'

let folder: TempFolder
let authority: Authority
let passwordFile = ''
const sinks: SmtpSink[] = []
beforeAll(() => {
  folder = makeTempFolder('email')
  authority = makeAuthority(folder.path)
  passwordFile = join(folder.path, 'password')
})
beforeEach(() => writeFileSync(passwordFile, 'pass-word-1\n'))
afterEach(async () => {
  for (const sink of sinks.splice(0)) await sink.stop()
})
afterAll(() => folder.remove())

const never = new AbortController().signal

async function sinkOf(options?: SmtpSinkOptions): Promise<SmtpSink> {
  const sink = await startSmtpSink(options)
  sinks.push(sink)
  return sink
}

const channelTo = (port: number, change: Partial<EmailOptions> = {}) =>
  new Email({
    name: 'mail',
    severities: ['critical'],
    server: `smtp://127.0.0.1:${port}`,
    from: 'tenure@example.org',
    to: ['oncall@example.org'],
    ...change,
  })

async function failure(channel: Email) {
  const error = await channel.send(messageOf(), never).catch((thrown) => thrown)
  expect(error.name).toBe('DeliveryError')
  return error as { message: string; permanent: boolean }
}

test('an alert arrives as text and as HTML, with its links', async () => {
  const sink = await sinkOf()
  expect(await channelTo(sink.port).send(messageOf(), never)).toBeNull()
  const [mail] = sink.mails
  expect(mail).toMatchObject({ from: 'tenure@example.org', to: ['oncall@example.org'] })
  expect(mail?.parsed.subject).toBe('[Tenure] Critical: billing/settlement has no leader')
  expect(mail?.parsed.date).toEqual(new Date('2026-03-12T02:14:37.000Z'))
  expect(mail?.parsed.headers.get('auto-submitted')).toBe('auto-generated')
  expect(mail?.parsed.headers.get('priority')).toBe('high')
  expect(mail?.parsed.text?.trim().split('\n')).toEqual([
    'Critical: billing/settlement has no leader',
    '',
    'No candidate holds it. 2 candidates wait.',
    'Since 2026-03-12 02:14:07 UTC.',
    'Cluster: prod-eu · Election: billing/settlement · Rule: leaderless · Severity: critical',
    '',
    `Open in Tenure: ${LINKS.alert}`,
    `What to do: ${LINKS.runbook}`,
  ])
  expect(mail?.parsed.html).toContain(`<a href="${LINKS.runbook}">What to do</a>`)
})

test('its end is in the same thread, and one that is sent twice has the same Message-ID', async () => {
  const sink = await sinkOf()
  const channel = channelTo(sink.port)
  await channel.send(messageOf(), never)
  await channel.send(messageOf(), never)
  await channel.send(messageOf({ id: 'm2', kind: 'resolved', alert: resolved() }), never)
  const [first, again, end] = sink.mails.map(({ parsed }) => parsed)
  expect(first?.messageId).toBe('<message.m1@example.org>')
  expect(again?.messageId).toBe(first?.messageId)
  expect(end?.messageId).not.toBe(first?.messageId)
  expect([first?.inReplyTo, end?.inReplyTo]).toEqual(['<alert.a1@example.org>', '<alert.a1@example.org>'])
  expect([first?.references, end?.references].flat()).toEqual(Array(2).fill('<alert.a1@example.org>'))
  expect(end?.headers.has('priority')).toBe(false)
})

const OURS = [
  ...['from', 'to', 'subject', 'date', 'message-id', 'in-reply-to', 'references', 'auto-submitted'],
  ...['importance', 'priority', 'x-priority', 'x-msmail-priority', 'mime-version', 'content-type'],
]

describe('text of strangers (RC-25)', () => {
  test.each(Object.entries(HOSTILE))('%s adds no header, no recipient and no markup', async (_, text) => {
    const sink = await sinkOf()
    const alert = alertOf({ id: text, subject: text, summary: text, detail: text })
    await channelTo(sink.port).send(messageOf({ id: text, alert }), never)
    const [mail] = sink.mails
    expect(mail?.to).toEqual(['oncall@example.org'])
    expect(mail?.parsed.bcc).toBeUndefined()
    expect(mail?.parsed.messageId).toMatch(/^<message\.[\w.-]+@example\.org>$/)
    for (const { key } of mail?.parsed.headerLines ?? []) expect(OURS).toContain(key)
    expect(mail?.parsed.subject).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect(mail?.parsed.subject?.length).toBeLessThanOrEqual(200)
    expect(mail?.parsed.text?.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect(mail?.parsed.html || '').not.toMatch(/<(?!\/?(p|a|strong)[ >])/)
  })
})

describe('the way there', () => {
  const trusted = async (work: () => Promise<void>) => {
    const before = getCACertificates('default')
    setDefaultCACertificates([...before, readFileSync(authority.certFile, 'utf8')])
    await work().finally(() => setDefaultCACertificates(before))
  }

  test('is encrypted where STARTTLS is offered, and signs in with what the file holds then', async () => {
    const certificate = authority.issue('mail')
    const sink = await sinkOf({ tls: { certificate }, login: { user: 'tenure', password: 'pass-word-2' } })
    const channel = channelTo(sink.port, { user: 'tenure', passwordFile })
    await trusted(async () => {
      const error = await failure(channel)
      expect(error).toMatchObject({ permanent: false })
      expect(error.message).toMatch(/^127\.0\.0\.1:\d+ answered: 535/)
      expect(error.message).not.toContain('pass-word-1')
      writeFileSync(passwordFile, 'pass-word-2\n')
      await channel.send(messageOf(), never)
    })
    expect(sink.mails).toMatchObject([{ isEncrypted: true, user: 'tenure' }])
  })

  test('is encrypted from the start with smtps', async () => {
    const sink = await sinkOf({ tls: { certificate: authority.issue('mails'), fromStart: true } })
    await trusted(async () => {
      await channelTo(sink.port, { server: `smtps://127.0.0.1:${sink.port}` }).send(messageOf(), never)
    })
    expect(sink.mails).toMatchObject([{ isEncrypted: true }])
  })

  test('is not taken where the certificate is not trusted', async () => {
    const sink = await sinkOf({ tls: { certificate: authority.issue('stranger') } })
    const error = await failure(channelTo(sink.port))
    expect(error).toMatchObject({ permanent: false })
    expect(error.message).toMatch(/did not take it: .*certificate/)
    expect(sink.mails).toEqual([])
  })

  test('is not taken with a password to another machine that offers no TLS', async () => {
    const sink = await sinkOf({ login: { user: 'tenure', password: 'pass-word-1' } })
    // Another name of this machine, which nobody can tell from a name of another one.
    const elsewhere = channelTo(sink.port, { server: `smtp://0.0.0.0:${sink.port}`, user: 'tenure', passwordFile })
    expect((await failure(elsewhere)).message).toMatch(/ cannot be spoken to over TLS: /)
    expect(sink.mails).toEqual([])
    await channelTo(sink.port, { user: 'tenure', passwordFile }).send(messageOf(), never)
    expect(sink.mails).toMatchObject([{ user: 'tenure', isEncrypted: false }])
  })
})

describe('what fails', () => {
  test('for good: a server that refuses the message', async () => {
    const sink = await sinkOf()
    sink.refuse({ code: 554, words: 'not\u0007 wanted' })
    const error = await failure(channelTo(sink.port))
    expect(error).toMatchObject({ permanent: true })
    expect(error.message).toMatch(/^127\.0\.0\.1:\d+ answered: 554 /)
  })

  test('for now: a server that is busy', async () => {
    const sink = await sinkOf()
    sink.refuse({ code: 451, words: 'later' })
    expect(await failure(channelTo(sink.port))).toMatchObject({ permanent: false })
  })

  test('for some: the others have it, and it is not sent again', async () => {
    const sink = await sinkOf()
    sink.refuseRecipient('gone@example.org', { code: 550, words: 'no such mailbox' })
    const channel = channelTo(sink.port, { to: ['gone@example.org', 'oncall@example.org'] })
    expect(await channel.send(messageOf(), never)).toBe(`127.0.0.1:${sink.port} took it, but not for gone@example.org`)
    expect(sink.mails.map(({ to }) => to)).toEqual([['oncall@example.org']])
    const error = await failure(channelTo(sink.port, { to: ['gone@example.org'] }))
    expect(error).toMatchObject({ permanent: true })
  })

  test('when nobody listens, or the connection drops', async () => {
    expect(await failure(channelTo(await freePort()))).toMatchObject({
      permanent: false,
      message: expect.stringContaining('ECONNREFUSED'),
    })
    const sink = await sinkOf()
    sink.behave('drop')
    expect(await failure(channelTo(sink.port))).toMatchObject({ permanent: false })
  })

  test('when Tenure stops while the server thinks: at once', async () => {
    const sink = await sinkOf()
    sink.behave('hang')
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 200)
    const startedAt = performance.now()
    await expect(channelTo(sink.port).send(messageOf(), stop.signal)).rejects.toThrow('was cut short')
    expect(performance.now() - startedAt).toBeLessThan(3_000)
  })
})
