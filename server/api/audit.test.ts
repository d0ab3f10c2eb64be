/** What the audit log answers to whom. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { cameFrom } from '../auth/auth-for-test.ts'
import { draft, outcome, refusal } from '../history/audit-fixtures.ts'
import type { FakeAudit } from '../history/fake-audit.ts'
import { AuditScene } from './audit-for-test.ts'

let scene: AuditScene
let audit: FakeAudit
beforeEach(async () => {
  scene = await AuditScene.open()
  audit = scene.audit
})
afterEach(() => scene.close())

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
    const { data } = await scene.ask('audit.list')
    expect(list.parse(data).entries.map(({ kind, result }) => [kind, result])).toEqual([
      ['done', 'done'],
      ['refusal', 'refused'],
      ['intent', 'open'],
      ['outcome', 'unknown'],
      ['intent', 'unknown'],
    ])
    audit.add(outcome('verified'))
    expect((await scene.ask('audit.list', { kind: 'intent' })).data.entries[1].result).toBe('verified')
  })

  test('pages, filters, and takes a time with another precision', async () => {
    for (let n = 1; n <= 5; n += 1) audit.add(draft({ operation: `op-${n}` }))
    const first = (await scene.ask('audit.list', { limit: 3 })).data
    expect(first.entries).toHaveLength(3)
    expect((await scene.ask('audit.list', { limit: 3, cursor: first.nextCursor })).data.entries).toHaveLength(2)
    expect((await scene.ask('audit.list', { operation: 'op-4' })).data.entries).toHaveLength(1)
    expect(
      (await scene.ask('audit.list', { from: '2020-01-01T00:00:00Z', to: '2021-01-01T00:00:00Z' })).data.entries,
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
    const { status, error } = await scene.ask('audit.list', input)
    expect([status, error]).toEqual([400, expect.stringMatching(words)])
  })

  test('is for whom may look: others get neither it nor the export', async () => {
    audit.add(draft())
    expect((await scene.ask('audit.list', {}, cameFrom())).status).toBe(401)
    expect((await scene.ask('audit.summary', {}, cameFrom())).status).toBe(401)
    const { status, text } = await scene.download('format=csv', cameFrom())
    expect([status, text]).toEqual([401, expect.stringContaining('sign in')])
  })

  test('shows an anonymous viewer no address, finds none, and nothing about people', async () => {
    audit.add(draft())
    audit.add(SIGN_IN)
    await scene.letAnybodyLook()
    const { data } = await scene.ask('audit.list', {}, cameFrom())
    expect(data.entries).toHaveLength(1)
    expect(data.entries[0].actor).toMatchObject({ name: 'Anna', address: '' })
    expect((await scene.ask('audit.list', { search: '10.0.0' }, cameFrom())).data.entries).toEqual([])
    expect((await scene.ask('audit.list', { verb: 'signIn' }, cameFrom())).data.entries).toEqual([])
    expect((await scene.ask('audit.summary', {}, cameFrom())).data).toMatchObject({ actions: 1 })
    for (const format of ['csv', 'jsonl']) {
      const { text } = await scene.download(`format=${format}`, cameFrom())
      expect(text).toContain('Anna')
      expect(text).not.toMatch(/10\.0\.0\.7|signIn/)
    }
  })

  test('says that the log cannot be used', async () => {
    audit.list = () => {
      throw Object.assign(new Error('the disk failed'), { name: 'AuditUnavailable' })
    }
    expect(await scene.ask('audit.list')).toMatchObject({
      status: 503,
      error: expect.stringContaining('the disk failed'),
    })
    expect(await scene.download('format=csv')).toMatchObject({
      status: 503,
      text: expect.stringContaining('the disk failed'),
    })
  })
})

test('audit.summary counts the last 24 h', async () => {
  audit.add(draft())
  audit.add(refusal())
  const { data } = await scene.ask('audit.summary')
  expect(data).toEqual({
    serverTime: expect.any(String),
    from: expect.any(String),
    actions: 1,
    refused: 1,
    newest: audit.entries[1]?.at,
  })
})
