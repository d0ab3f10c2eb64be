import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type HttpSink, startHttpSink } from '../../../e2e/harness/http-sink.ts'
import { freePort } from '../../../e2e/harness/ports.ts'
import { DeliveryError } from './channel.ts'
import { post, retryAfterMs } from './http.ts'

let sink: HttpSink
let other: HttpSink
beforeAll(async () => {
  sink = await startHttpSink()
  other = await startHttpSink()
})
afterAll(async () => {
  await sink.stop()
  await other.stop()
})
beforeEach(() => sink.answer({ status: 200 }))

const never = new AbortController().signal

async function failure(url = `${sink.url}/path-secret`, more: object = {}): Promise<DeliveryError> {
  const error = await post({ url, body: '{}', secrets: ['path-secret'], ...more }, never).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(DeliveryError)
  return error
}

const host = () => new URL(sink.url).host

describe('an answer', () => {
  test('of any 2xx is enough, however it goes on', async () => {
    sink.answer({ status: 202, headers: { 'content-length': '1000' }, body: 'so far' })
    await post({ url: sink.url, body: '{"a":1}', headers: { 'x-a': 'b' } }, never)
    const last = sink.requests.at(-1)
    expect(last).toMatchObject({ method: 'POST', body: '{"a":1}' })
    expect(last?.headers).toMatchObject({ 'content-type': 'application/json', 'x-a': 'b', 'user-agent': 'Tenure' })
  })

  test('that refuses is told by host, status and its first line', async () => {
    sink.answer({ status: 400, body: '\n  invalid\u0007 payload\nwith more' })
    const error = await failure()
    expect(error.message).toBe(`${host()} answered 400: invalid\\u{7} payload`)
    expect(error.permanent).toBe(true)
  })

  test('is cut', async () => {
    sink.answer({ status: 500, body: 'x'.repeat(200_000) })
    expect((await failure()).message.length).toBeLessThan(300)
  })

  test('without an end is read no further than it is worth', async () => {
    const endless = createHttpServer((_, response) => {
      response.writeHead(500)
      const more = () => response.write('x'.repeat(16_000), () => void setImmediate(more))
      more()
      response.on('error', () => {})
    })
    await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve))
    const { port } = endless.address() as AddressInfo
    const startedAt = performance.now()
    expect((await failure(`http://127.0.0.1:${port}`)).message).toMatch(/answered 500: xxx/)
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    endless.closeAllConnections()
    endless.close()
  })

  test.each([400, 405, 410, 413, 422])('%d means that the message itself is not wanted', async (status) => {
    sink.answer({ status })
    expect(await failure()).toMatchObject({ permanent: true })
  })

  test.each([401, 403, 404, 408, 409, 429, 500, 502, 503])('%d may be another time', async (status) => {
    sink.answer({ status })
    expect(await failure()).toMatchObject({ permanent: false })
  })
})

test('secrets are in no error, also where the other side repeats them', async () => {
  sink.answer({ status: 500, body: 'no such hook: /path-secret' })
  expect((await failure()).message).toBe(`${host()} answered 500: no such hook: [secret]`)
  expect((await failure(`http://127.0.0.1:${await freePort()}/path-secret`)).message).not.toContain('path-secret')
})

test('no part of an address but its host is in an error, nor a user or password that cannot be sent', async () => {
  const { port } = sink
  const address = `http://user:TOPSECRET@127.0.0.1:${port}/services/T0000000000/SLACKSECRET?token=QUERYSECRET`
  const { message } = await failure(address)
  for (const secret of ['TOPSECRET', 'SLACKSECRET', 'QUERYSECRET']) expect(message).not.toContain(secret)
  sink.answer({ status: 500, body: 'bad token QUERYSECRET' })
  expect((await failure(`http://127.0.0.1:${port}/x?token=QUERYSECRET`)).message).toMatch(/bad token \[secret\]$/)
})

describe('Retry-After', () => {
  const told = (after: string, date?: string) =>
    retryAfterMs(new Headers({ 'retry-after': after, ...(date ? { date } : {}) }), Date.parse('2026-03-12T02:00:00Z'))

  test('is read in seconds or as a date, by the clock of whoever says it', () => {
    expect(told('7')).toBe(7_000)
    expect(told('Thu, 12 Mar 2026 02:00:30 GMT')).toBe(30_000)
    expect(told('Thu, 12 Mar 2026 03:00:30 GMT', 'Thu, 12 Mar 2026 03:00:00 GMT')).toBe(30_000)
    expect(told('Thu, 12 Mar 2026 01:00:00 GMT')).toBe(0)
    expect(told('soon')).toBeNull()
  })

  test.each([429, 503])('counts with %d', async (status) => {
    sink.answer({ status, headers: { 'retry-after': '9' } })
    expect(await failure()).toMatchObject({ retryAfterMs: 9_000, permanent: false })
  })
})

describe('a redirect', () => {
  test('within the host is followed, with the body', async () => {
    sink.answer(({ path }) => (path === '/to' ? { status: 200 } : { status: 308, headers: { location: '/to' } }))
    await post({ url: `${sink.url}/from`, body: '{"a":2}' }, never)
    expect(sink.requests.at(-1)).toMatchObject({ path: '/to', method: 'POST', body: '{"a":2}' })
  })

  test('to another host is not followed: it would get what is secret', async () => {
    sink.answer({ status: 307, headers: { location: `${other.url}/steal` } })
    const error = await failure()
    expect(error.message).toContain(`answered 307, which leads to ${new URL(other.url).host}`)
    expect(other.requests).toHaveLength(0)
  })

  test('that would lose the body is not followed', async () => {
    sink.answer({ status: 302, headers: { location: '/login' } })
    expect((await failure()).message).toContain('answered 302, which leads to another address')
  })

  test('without an end is left', async () => {
    sink.answer({ status: 307, headers: { location: '/again' } })
    expect((await failure()).message).toContain('redirects more than 3 times')
  })
})

describe('no answer', () => {
  test('within the deadline, or in drops for ever', async () => {
    sink.answer('hang')
    expect((await failure(undefined, { deadlineMs: 100 })).message).toBe(`${host()} did not answer within 0.1 s`)
    sink.answer({ status: 500, headers: { 'content-length': '100' }, body: 'slow' })
    expect((await failure(undefined, { deadlineMs: 1_000 })).message).toBe(`${host()} answered 500: slow`)
  })

  test('as nobody listens, the connection drops, or no HTTP is spoken', async () => {
    const port = await freePort()
    expect((await failure(`http://127.0.0.1:${port}`)).message).toBe(
      `127.0.0.1:${port} cannot be reached: ECONNREFUSED`,
    )
    sink.answer('drop')
    expect((await failure()).message).toMatch(/cannot be reached: (UND_ERR_SOCKET|ECONNRESET)/)
    const garbage = createServer((socket) => void socket.on('error', () => {}).end('no HTTP'))
    await new Promise<void>((resolve) => garbage.listen(0, '127.0.0.1', resolve))
    const { port: at } = garbage.address() as AddressInfo
    expect((await failure(`http://127.0.0.1:${at}`)).message).toMatch(/cannot be reached: /)
    garbage.close()
  })

  test('when Tenure stops: sending ends at once', async () => {
    sink.answer('hang')
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 50)
    const startedAt = performance.now()
    await expect(post({ url: sink.url, body: '{}' }, stop.signal)).rejects.toThrow('was cut short')
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })
})
