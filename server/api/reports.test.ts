import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeTempFolder, type TempFolder } from '../../e2e/harness/temp-folder.ts'
import type { CandidateReport } from '../../lib/election/reports.ts'
import { base64FromLatin1 } from '../../lib/shared/bytes.ts'
import { systemClock } from '../../lib/shared/clock.ts'
import { Troubles } from '../watch/troubles.ts'
import { MOST_BYTES, Reports } from './reports.ts'
import { TokenFile } from './token-file.ts'

const TOKEN = 'a-token-of-the-tests'
let folder: TempFolder
const heard: CandidateReport[] = []
const logged: string[] = []
beforeAll(() => {
  folder = makeTempFolder('reports')
  writeFileSync(join(folder.path, 'token'), TOKEN)
})
afterAll(() => folder.remove())
beforeEach(() => {
  heard.length = 0
  logged.length = 0
})

function receiving(configured = true): Reports {
  const write = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`)
  const log = { info: write, warn: write, error: write }
  const reported = {
    hear: (reports: readonly CandidateReport[]) => {
      heard.push(...reports)
      return reports.filter(({ identity }) => identity === 'stranger')
    },
  }
  return new Reports({
    watchers: new Map([['eu', { reported } as never]]),
    token: configured ? new TokenFile(join(folder.path, 'token'), systemClock) : null,
    clock: systemClock,
    troubles: new Troubles({ clock: systemClock, log }),
  })
}

const REPORT = {
  cluster: 'eu',
  layout: 'queue',
  prefixBase64: base64FromLatin1('/e/job/'),
  instance: 'a',
  identity: 'worker-a',
  lease: '000000000000002a',
  state: 'leading',
  token: { epoch: 0, revision: '41' },
  claimLeftMs: 6_000,
  lastWorkAgeMs: null,
  rejections: 0,
  missed: 0,
  renewals: [{ ageMs: 10, rttMs: 1.5 }],
}
const batch = (...reports: object[]) => ({ v: 1, reports })

interface Posting {
  body?: unknown
  text?: BodyInit
  headers?: Record<string, string | null>
}

function post({ body = batch(REPORT), text = JSON.stringify(body), headers = {} }: Posting = {}): Request {
  const all = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', host: 'tenure:3000', ...headers }
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null)
  return new Request('http://tenure:3000/api/reports', {
    method: 'POST',
    headers: new Headers(given),
    body: text,
    duplex: 'half',
  } as RequestInit)
}

async function answered(request: Request, reports = receiving()) {
  const response = await reports.answer(request)
  return { status: response.status, headers: response.headers, body: await response.json() }
}

describe('a report', () => {
  test('is taken, and what is not known here is named', async () => {
    const stranger = { ...REPORT, identity: 'stranger', prefixBase64: base64FromLatin1('/e/other/') }
    expect(await answered(post({ body: batch(REPORT, stranger) }))).toMatchObject({
      status: 200,
      body: { taken: 2, unknown: [{ cluster: 'eu', ref: 'q~L2Uvb3RoZXIv' }] },
    })
    expect(heard).toHaveLength(2)
    expect(heard[0]).toEqual(REPORT)
  })

  test('may say its type with a charset', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    expect((await answered(post({ headers }))).status).toBe(200)
  })
})

describe('refused is', () => {
  test.each<[string, number, Posting, RegExp]>([
    ['no token', 401, { headers: { authorization: null } }, /Bearer/],
    ['another token', 401, { headers: { authorization: 'Bearer guessed' } }, /Bearer/],
    ['a token in another scheme', 401, { headers: { authorization: `Basic ${TOKEN}` } }, /Bearer/],
    ['a page of another site', 403, { headers: { origin: 'https://evil.example' } }, /other sites/],
    ['a page of another port', 403, { headers: { origin: 'http://tenure:3001' } }, /other sites/],
    ['a page without an origin of its own', 403, { headers: { origin: 'null' } }, /other sites/],
    ['a form', 415, { headers: { 'content-type': 'text/plain' } }, /application\/json/],
    ['nothing', 400, { text: '' }, /not JSON/],
    ['half of a body', 400, { text: '{"v":1,' }, /not JSON/],
    ['bytes that are no text', 400, { text: Uint8Array.from([0x22, 0xff, 0x22]) }, /UTF-8/],
    ['a body that is too large', 413, { text: ' '.repeat(MOST_BYTES + 1) }, /1048576 bytes/],
    ['another version', 422, { body: { v: 2, reports: [REPORT] } }, /^v: /],
    ['no report', 422, { body: batch() }, /^reports: /],
    [
      'an unknown cluster',
      422,
      { body: batch({ ...REPORT, cluster: 'us' }) },
      /^reports\.0\.cluster: no cluster "us" is configured: there is eu$/,
    ],
    [
      'a lease that is none',
      422,
      { body: batch(REPORT, { ...REPORT, lease: '2A' }) },
      /^reports\.1\.lease: a lease id as 16/,
    ],
    ['a token as a number', 422, { body: batch({ ...REPORT, token: 41 }) }, /^reports\.0\.token: /],
    ['a queue without its slash', 422, { body: batch({ ...REPORT, prefixBase64: btoa('/e/job') }) }, /ends with \/$/],
  ])('%s: %i', async (_, status, posting, words) => {
    const found = await answered(post(posting))
    expect([found.status, found.body.error]).toEqual([status, expect.stringMatching(words)])
    expect(heard).toEqual([])
  })

  test('everything, with words, while reports are not configured', async () => {
    const found = await answered(post(), receiving(false))
    expect(found).toMatchObject({ status: 404, body: { error: expect.stringContaining('TENURE_REPORTS_TOKEN_FILE') } })
  })

  test('a body that says a smaller length than it has', async () => {
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(0x20)),
    })
    expect((await answered(post({ text: stream, headers: { 'content-length': '12' } }))).status).toBe(413)
  })

  test('with each wrong field by its name, and with 401 how to ask', async () => {
    const found = await answered(post({ body: batch({ ...REPORT, rejections: -1, state: 'asleep' }) }))
    expect(found.body.problems.map(({ field }: { field: string }) => field).sort()).toEqual([
      'reports.0.rejections',
      'reports.0.state',
    ])
    const unknown = await answered(post({ headers: { authorization: 'Bearer guessed' } }))
    expect(unknown.headers.get('www-authenticate')).toBe('Bearer')
    expect(logged.join()).toContain('refused: the token is not the one in the file')
    expect(logged.join()).not.toContain('guessed')
  })

  test('a body more than are read at once, with when to come again', async () => {
    const reports = receiving()
    const never = () => new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) })
    const waiting = Array.from({ length: 32 }, () => reports.answer(post({ text: never() })))
    const found = await answered(post(), reports)
    expect([found.status, found.headers.get('retry-after')]).toEqual([503, '1'])
    expect(waiting).toHaveLength(32)
  })
})
