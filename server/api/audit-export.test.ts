import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { chainHash, NO_HASH } from '../history/audit-chain.ts'
import { draft, outcome, refusal } from '../history/audit-fixtures.ts'
import type { FakeAudit } from '../history/fake-audit.ts'
import { answerExport } from './audit-export.ts'
import { AuditScene } from './audit-for-test.ts'

let scene: AuditScene
let audit: FakeAudit
beforeEach(async () => {
  scene = await AuditScene.open()
  audit = scene.audit
})
afterEach(() => scene.close())

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
    const { status, type, text, disposition } = await scene.download('format=csv')
    expect([status, type]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
    expect(disposition).toMatch(/^attachment; filename="tenure-audit-[\dTZ-]+\.csv"$/)
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

  test('as JSON Lines has every entry as its hash was made of it', async () => {
    for (let n = 1; n <= 3; n += 1) audit.add(draft({ operation: `op-${n}`, reason: `${WILD} \u2028 ${n} ü` }))
    const { text, type } = await scene.download('format=jsonl')
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
    expect((await scene.download('format=jsonl&verb=engage')).text.trim().split('\n')).toHaveLength(1)
    expect((await scene.download('format=jsonl&search=nothing%20of%20it')).text).toBe('')
    expect((await scene.download('format=csv&search=nothing%20of%20it')).text.split('\r\n')).toHaveLength(2)
    expect(await scene.download('format=xls')).toMatchObject({
      status: 400,
      text: expect.stringContaining('csv or jsonl'),
    })
    expect((await scene.download('format=csv&verbs=x')).status).toBe(400)
    expect((await scene.download('format=csv&from=x')).status).toBe(400)
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
    const request = new Request('http://localhost/api/audit/export?format=jsonl', { headers: scene.headers })
    const reader = (await answerExport(request, scene.runtime)).body?.getReader()
    await reader?.read()
    expect(pages).toBeLessThanOrEqual(3)
    const rest = async () => {
      while (!(await reader?.read())?.done);
    }
    await expect(rest()).rejects.toThrow('the disk failed')
  })

  test('of everything has everything', async () => {
    for (let n = 1; n <= 1_234; n += 1) audit.add(draft({ operation: `op-${n}` }))
    const lines = (await scene.download('format=jsonl')).text.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).number)).toEqual(Array.from({ length: 1_234 }, (_, n) => 1_234 - n))
  })
})
