/** What the audit log answers to whom, and its export. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { systemClock } from '../../lib/shared/clock.ts'
import { cameFrom, type TestAuth, testAuth } from '../auth/auth-for-test.ts'
import { configSchema } from '../config/schema.ts'
import { chainHash, NO_HASH } from '../history/audit-chain.ts'
import { draft, outcome, refusal } from '../history/audit-fixtures.ts'
import { FakeAudit } from '../history/fake-audit.ts'
import type { Runtime } from '../runtime-slot.ts'
import { actionsOn } from './actions-for-test.ts'
import { answer } from './answer.ts'
import { cellOf } from './audit-csv.ts'
import { answerExport } from './audit-export.ts'

const clusters = [{ name: 'eu', endpoints: ['http://127.0.0.1:2379'], watch: ['/e/'] }]
let at: TestAuth
let audit: FakeAudit
let settings: Record<string, unknown>
let headers: Headers
beforeEach(async () => {
  settings = {}
  at = await testAuth()
  audit = new FakeAudit()
  await at.add('vi', 'viewer')
  headers = await at.signedIn('vi')
})
afterEach(() => at.close())

const runtime = () =>
  ({
    ...{ auth: at.auth, audit, actions: actionsOn(audit), watchers: new Map(), clock: systemClock },
    config: configSchema.parse({ clusters, ...settings }),
  }) as unknown as Runtime

async function ask(path: string, input: object = {}, from = headers) {
  const url = `http://localhost/api/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`
  const response = await answer(new Request(url, { headers: from }), runtime())
  const { result, error } = JSON.parse(await response.text())
  return { status: response.status, data: result?.data, error: error?.message as string | undefined }
}

async function download(query: string, from = headers) {
  const response = await answerExport(
    new Request(`http://localhost/api/audit/export?${query}`, { headers: from }),
    runtime(),
  )
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text(), response }
}

const ANONYMOUS = { anonymousViewing: true }
const asAnonymous = async () => {
  settings = ANONYMOUS
  at = await at.reopen(ANONYMOUS)
}
const SIGN_IN = draft({
  kind: 'done',
  verb: 'signIn',
  operation: 'x1',
  subject: { cluster: null },
  words: 'Signed in.',
})

const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const entry = z.strictObject({
  number: z.int().positive(),
  at: time,
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  kind: z.enum(['intent', 'outcome', 'refusal', 'note', 'done']),
  result: z.enum(['verified', 'failed', 'unknown', 'refused', 'done', 'open']).nullable(),
  operation: z.string(),
  verb: z.string(),
  actor: z.strictObject({
    kind: z.enum(['person', 'token', 'loopback', 'anonymous', 'nobody']),
    name: z.string(),
    address: z.string(),
    personId: z.string().optional(),
    token: z.string().optional(),
  }),
  subject: z.strictObject({
    cluster: z.string().nullable(),
    ref: z.string().optional(),
    name: z.string().optional(),
    scope: z.string().optional(),
    scopeBase64: z.string().optional(),
    person: z.strictObject({ id: z.string(), name: z.string() }).optional(),
  }),
  reason: z.string(),
  asked: z.unknown(),
  seen: z.unknown(),
  outcome: z.strictObject({ is: z.string(), words: z.string(), revision: z.string().nullable() }).optional(),
  code: z.string().optional(),
  words: z.string().optional(),
  durationMs: z.number().optional(),
})
const list = z.strictObject({ serverTime: time, entries: z.array(entry), nextCursor: z.string().optional() })

describe('audit.list', () => {
  test('has the shape of docs/api.md, and tells an intent with what has become of it', async () => {
    audit.add(draft())
    audit.add(outcome('unknown'))
    audit.add(draft({ operation: 'op-2' }))
    audit.add(refusal({ operation: '' }))
    audit.add(SIGN_IN)
    const { data } = await ask('audit.list')
    expect(list.parse(data).entries.map(({ kind, result }) => [kind, result])).toEqual([
      ['done', 'done'],
      ['refusal', 'refused'],
      ['intent', 'open'],
      ['outcome', 'unknown'],
      ['intent', 'unknown'],
    ])
    audit.add(outcome('verified'))
    expect((await ask('audit.list', { kind: 'intent' })).data.entries[1].result).toBe('verified')
  })

  test('pages, filters, and takes a time with another precision', async () => {
    for (let n = 1; n <= 5; n += 1) audit.add(draft({ operation: `op-${n}` }))
    const first = (await ask('audit.list', { limit: 3 })).data
    expect(first.entries).toHaveLength(3)
    expect((await ask('audit.list', { limit: 3, cursor: first.nextCursor })).data.entries).toHaveLength(2)
    expect((await ask('audit.list', { operation: 'op-4' })).data.entries).toHaveLength(1)
    expect(
      (await ask('audit.list', { from: '2020-01-01T00:00:00Z', to: '2021-01-01T00:00:00Z' })).data.entries,
    ).toEqual([])
  })

  test.each([
    [{ limit: 1_001 }, /limit: must be 1 to 1,000/],
    [{ search: 'ab' }, /search: must have at least 3 characters/],
    [{ result: 'maybe' }, /result: must be verified, failed/],
    [{ from: 'yesterday' }, /from: must be an ISO 8601 time/],
    [{ from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }, /to: must be later than from/],
    [{ cursor: 'x' }, /is not a cursor/],
  ])('refuses %j in a sentence', async (input, words) => {
    const { status, error } = await ask('audit.list', input)
    expect([status, error]).toEqual([400, expect.stringMatching(words)])
  })

  test('is for whom may look: others get neither it nor the export', async () => {
    audit.add(draft())
    expect((await ask('audit.list', {}, cameFrom())).status).toBe(401)
    expect((await ask('audit.summary', {}, cameFrom())).status).toBe(401)
    const { status, text } = await download('format=csv', cameFrom())
    expect([status, text]).toEqual([401, expect.stringContaining('sign in')])
  })

  test('shows an anonymous viewer no address, finds none, and nothing about people', async () => {
    audit.add(draft())
    audit.add(SIGN_IN)
    await asAnonymous()
    const { data } = await ask('audit.list', {}, cameFrom())
    expect(data.entries).toHaveLength(1)
    expect(data.entries[0].actor).toMatchObject({ name: 'Anna', address: '' })
    expect((await ask('audit.list', { search: '10.0.0' }, cameFrom())).data.entries).toEqual([])
    expect((await ask('audit.list', { verb: 'signIn' }, cameFrom())).data.entries).toEqual([])
    expect((await ask('audit.summary', {}, cameFrom())).data).toMatchObject({ actions: 1 })
    for (const format of ['csv', 'jsonl']) {
      const { text } = await download(`format=${format}`, cameFrom())
      expect(text).toContain('Anna')
      expect(text).not.toMatch(/10\.0\.0\.7|signIn/)
    }
  })

  test('says that the log cannot be used', async () => {
    audit.list = () => {
      throw Object.assign(new Error('the disk failed'), { name: 'AuditUnavailable' })
    }
    expect(await ask('audit.list')).toMatchObject({ status: 503, error: expect.stringContaining('the disk failed') })
    expect(await download('format=csv')).toMatchObject({
      status: 503,
      text: expect.stringContaining('the disk failed'),
    })
  })
})

test('audit.summary counts the last 24 h', async () => {
  audit.add(draft())
  audit.add(refusal())
  const { data } = await ask('audit.summary')
  expect(data).toEqual({
    serverTime: expect.any(String),
    from: expect.any(String),
    actions: 1,
    refused: 1,
    newest: audit.entries[1]?.at,
  })
})

/** RFC 4180, as a program of somebody else reads it. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === '\r\n') rows.push([])
  }
  return rows.slice(0, -1)
}

describe('the export', () => {
  const WILD = '=HYPERLINK("http://x")\r\n"quoted", and more'

  test('as CSV neutralises formulas in every cell and can be read by others (RC-25)', async () => {
    const actor = { kind: 'person', name: '@SUM(A1)', personId: 'p', address: '10.0.0.7' } as const
    audit.add(draft({ reason: WILD, actor, subject: { cluster: '-1+1', ref: 'q~x', name: '+cmd' } }))
    audit.add(outcome('verified', { reason: '\t=1', operation: '-op' }))
    const { status, type, text, response } = await download('format=csv')
    expect([status, type]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="tenure-audit-[\dTZ-]+\.csv"$/)
    const [head = [], second = [], first = []] = parseCsv(text)
    const cell = (row: string[], name: string) => row[head.indexOf(name)]
    expect(cell(first, 'reason')).toBe(`'${WILD}`)
    expect(cell(first, 'who')).toBe("'@SUM(A1)")
    expect(cell(first, 'cluster')).toBe("'-1+1")
    expect(cell(first, 'election')).toBe("'+cmd")
    expect(cell(second, 'reason')).toBe("'\t=1")
    expect(cell(second, 'operation')).toBe("'-op")
    expect(cell(second, 'result')).toBe('verified')
    for (const row of [first, second]) {
      expect(row).toHaveLength(head.length)
      for (const each of row) expect(each).not.toMatch(/^[=+\-@\t\r]/)
    }
  })

  test.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@A', "'@A"],
    ['\tx', "'\tx"],
    ['\rx', `"'\rx"`],
    ['=a,"b"', `"'=a,""b"""`],
    ['a=1', 'a=1'],
    ['', ''],
  ])('writes %j as %j', (text, cell) => {
    expect(cellOf(text)).toBe(cell)
  })

  test('as JSON Lines has every entry as its hash was made of it', async () => {
    for (let n = 1; n <= 3; n += 1) audit.add(draft({ operation: `op-${n}`, reason: `${WILD} \u2028 ${n} ü` }))
    const { text, type } = await download('format=jsonl')
    expect(type).toBe('application/jsonl; charset=utf-8')
    let hash = NO_HASH
    for (const line of text.trimEnd().split('\n').reverse()) {
      const [, body, own] = /^(.*),"hash":"([0-9a-f]{64})"\}$/s.exec(line) ?? []
      hash = chainHash(hash, `${body}}`)
      expect(own).toBe(hash)
    }
    expect(hash).toBe(audit.entries.at(-1)?.hash)
  })

  test('takes the same filters, and refuses what it does not know', async () => {
    audit.add(draft())
    audit.add(refusal({ verb: 'engage' }))
    expect((await download('format=jsonl&verb=engage')).text.trim().split('\n')).toHaveLength(1)
    expect((await download('format=jsonl&search=nothing%20of%20it')).text).toBe('')
    expect((await download('format=csv&search=nothing%20of%20it')).text.split('\r\n')).toHaveLength(2)
    expect(await download('format=xls')).toMatchObject({ status: 400, text: expect.stringContaining('csv or jsonl') })
    expect((await download('format=csv&verbs=x')).status).toBe(400)
    expect((await download('format=csv&from=x')).status).toBe(400)
  })

  test('is read page by page as it is taken, and ends as broken when the log fails half way', async () => {
    for (let n = 1; n <= 1_800; n += 1) audit.add(draft({ operation: `op-${n}` }))
    let pages = 0
    const list = audit.list.bind(audit)
    audit.list = (query) => {
      pages += 1
      if (pages === 4) throw new Error('the disk failed')
      return list(query)
    }
    const request = new Request('http://localhost/api/audit/export?format=jsonl', { headers })
    const reader = (await answerExport(request, runtime())).body?.getReader()
    await reader?.read()
    expect(pages).toBeLessThanOrEqual(3)
    const rest = async () => {
      while (!(await reader?.read())?.done);
    }
    await expect(rest()).rejects.toThrow('the disk failed')
  })

  test('of everything has everything', async () => {
    for (let n = 1; n <= 1_234; n += 1) audit.add(draft({ operation: `op-${n}` }))
    const lines = (await download('format=jsonl')).text.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).number)).toEqual(Array.from({ length: 1_234 }, (_, n) => 1_234 - n))
  })
})
