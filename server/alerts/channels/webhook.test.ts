import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type HttpSink, startHttpSink } from '../../../e2e/harness/http-sink.ts'
import { makeTempFolder, type TempFolder } from '../../../e2e/harness/temp-folder.ts'
import { alertOf, HOSTILE, LINKS, messageOf, resolved } from './message-for-test.ts'
import { signatureOf, Webhook, webhookBody } from './webhook.ts'

let sink: HttpSink
let folder: TempFolder
let secretFile = ''
beforeEach(async () => {
  sink = await startHttpSink()
  folder = makeTempFolder('webhook')
  secretFile = join(folder.path, 'secret')
  writeFileSync(secretFile, 'first-secret\n')
})
afterEach(async () => {
  await sink.stop()
  folder.remove()
})

const NOW_MS = Date.parse('2026-03-12T02:14:38.900Z')
const never = new AbortController().signal
const channel = () =>
  new Webhook(
    { name: 'hook', severities: ['critical'], url: `${sink.url}/in?token=in-the-address`, secretFile },
    { nowMs: () => NOW_MS },
  )

test('the body is the whole alert, and what docs/alerts.md says it is', async () => {
  await channel().send(messageOf(), never)
  const body = JSON.parse(sink.requests[0]?.body ?? '')
  expect(body).toEqual({
    v: 1,
    id: 'm1',
    kind: 'firing',
    at: '2026-03-12T02:14:37.120Z',
    text: 'Critical: billing/settlement has no leader',
    alert: {
      id: 'a1',
      key: 'tenure/prod-eu/leaderless/7088b9ac21585216',
      rule: 'leaderless',
      severity: 'critical',
      cluster: 'prod-eu',
      ref: 'q~YmlsbGluZy9zZXR0bGVtZW50Lw',
      subject: 'billing/settlement',
      stage: 'firing',
      since: '2026-03-12T02:14:07.120Z',
      sinceApproximate: false,
      firedAt: '2026-03-12T02:14:37.120Z',
      resolvedAt: null,
      resolvedApproximate: false,
      summary: 'billing/settlement has no leader',
      detail: 'No candidate holds it. 2 candidates wait.',
      acknowledged: null,
    },
    links: LINKS,
  })
  const docs = readFileSync(join(import.meta.dirname, '../../../docs/alerts.md'), 'utf8')
  const [, shown = '{}'] = /^```json webhook-body\n([\s\S]*?)^```$/m.exec(docs) ?? []
  expect(JSON.parse(shown)).toEqual(JSON.parse(webhookBody(messageOf({ kind: 'resolved', alert: resolved() }))))
})

test('the headers name the message and sign the body', async () => {
  await channel().send(messageOf(), never)
  const [request] = sink.requests
  expect(request).toMatchObject({ method: 'POST', path: '/in?token=in-the-address' })
  expect(request?.headers['tenure-delivery']).toBe('m1')
  expect(request?.headers['tenure-signature']).toBe(signatureOf(request?.body ?? '', 'first-secret', NOW_MS))
})

test('the signature is what other programs make of the same: a known value', () => {
  // printf '1.{}' | openssl dgst -sha256 -hmac secret
  expect(signatureOf('{}', 'secret', 1_999)).toBe(
    't=1,v1=1122767b193110cfec322b6f199b599edbf608ed087f2d27afb0b97d99523908',
  )
})

describe('the example of docs/alerts.md', () => {
  async function example() {
    const docs = readFileSync(join(import.meta.dirname, '../../../docs/alerts.md'), 'utf8')
    const [, code = ''] = /^```js verify-webhook\n([\s\S]*?)^```$/m.exec(docs) ?? []
    const file = join(folder.path, 'verify.mjs')
    writeFileSync(file, code)
    const { isFromTenure } = (await import(pathToFileURL(file).href)) as {
      isFromTenure: (header: string | undefined, body: string, secret: string, nowMs?: number) => boolean
    }
    return isFromTenure
  }

  test('takes what Tenure sends, and nothing else', async () => {
    const isFromTenure = await example()
    await channel().send(messageOf(), never)
    const { body = '', headers = {} } = sink.requests[0] ?? {}
    const header = headers['tenure-signature']
    expect(isFromTenure(header, body, 'first-secret', NOW_MS)).toBe(true)
    expect(isFromTenure(header, body, 'other-secret', NOW_MS)).toBe(false)
    expect(isFromTenure(header, `${body} `, 'first-secret', NOW_MS)).toBe(false)
    expect(isFromTenure(header?.replace(/t=\d+/, 't=1773281679'), body, 'first-secret', NOW_MS)).toBe(false)
    expect(isFromTenure(header, body, 'first-secret', NOW_MS + 301_000)).toBe(false)
    expect(isFromTenure(undefined, body, 'first-secret', NOW_MS)).toBe(false)
    expect(isFromTenure('t=1,v1=zz', body, 'first-secret', NOW_MS)).toBe(false)
  })
})

test('a secret that was replaced counts with the next message, and no secret is ever told', async () => {
  const hook = channel()
  await hook.send(messageOf(), never)
  writeFileSync(secretFile, 'second-secret')
  sink.answer(({ path }) => ({ status: 400, body: `second-secret is not for ${path}` }))
  const error = await hook.send(messageOf(), never).catch((thrown) => thrown)
  expect(sink.requests[1]?.headers['tenure-signature']).toBe(
    signatureOf(sink.requests[1]?.body ?? '', 'second-secret', NOW_MS),
  )
  expect(error).toMatchObject({ permanent: true })
  expect(error.message).not.toMatch(/second-secret|in-the-address/)
  expect(hook.to).toBe(new URL(sink.url).host)
  writeFileSync(secretFile, 'two\nlines')
  await expect(hook.send(messageOf(), never)).rejects.toThrow(`secret of channel hook from ${secretFile}: it is more`)
})

test.each(Object.entries(HOSTILE))('names that hold anything are seen as they are: %s (RC-25)', (_, text) => {
  const alert = alertOf({
    subject: text,
    summary: text,
    detail: text,
    acknowledged: { by: text, at: '', comment: text },
  })
  const body = webhookBody(messageOf({ alert }))
  expect(body).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u)
  expect(body).not.toMatch(/\\u00|\\ud8/)
  expect(body.length).toBeLessThan(10_000)
})
