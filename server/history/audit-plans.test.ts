import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import type { AuditQuery } from './audit.ts'
import { openAuditDatabase } from './audit-database.ts'
import { BOUNDS, selectOf } from './audit-select.ts'
import { UNRESOLVED } from './sqlite-audit.ts'

const dir = mkdtempSync(join(tmpdir(), 'tenure-audit-plans-'))
const database: DatabaseSync = openAuditDatabase(join(dir, 'audit.sqlite'))
afterAll(() => {
  database.close()
  rmSync(dir, { recursive: true })
})

function planOf(sql: string): string {
  const rows = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
  return rows.map(({ detail }) => String(detail)).join(' / ')
}

// Nothing is ever deleted from the log: what a page asks must read along an index, and sort nothing.
describe('a page of the log', () => {
  const cases: [string, Partial<AuditQuery>, RegExp][] = [
    ['newest first', {}, /^SCAN audit$/],
    ['from a cursor', { cursor: '7' }, /INTEGER PRIMARY KEY/],
    ['of a verb', { verb: 'handoff' }, /audit_verb/],
    ['of a kind', { kind: 'intent' }, /audit_kind/],
    ['of a result', { result: 'refused' }, /audit_result/],
    ['of what is unknown still', { result: 'unknown' }, /audit_result.*audit_operation/],
    ['of a cluster', { cluster: 'eu' }, /audit_(cluster|election)/],
    ['of an election', { cluster: 'eu', ref: 'q~x' }, /audit_election/],
    ['of an operation', { operation: 'x' }, /audit_operation/],
    ['of a search', { search: 'deploy' }, /audit_text VIRTUAL TABLE.*INTEGER PRIMARY KEY/],
    ['of a search and a verb', { search: 'deploy', verb: 'handoff' }, /audit_text VIRTUAL TABLE.*INTEGER PRIMARY KEY/],
    ['of a verb and a result', { verb: 'handoff', result: 'failed' }, /audit_(verb|result)/],
  ]
  it.each(cases)('%s', (_, query, wanted) => {
    const plan = planOf(selectOf({ limit: 100, ...query }, null).sql)
    expect(plan).toMatch(wanted)
    expect(plan).not.toContain('TEMP B-TREE')
  })

  it('of a time reads between its first and its last number', () => {
    expect(planOf(BOUNDS)).toMatch(/COVERING INDEX audit_at/)
    const plan = planOf(selectOf({ limit: 100, from: '2026', to: '2027' }, { first: 1, last: 2 }).sql)
    expect(plan).toMatch(/INTEGER PRIMARY KEY/)
    expect(plan).not.toContain('TEMP B-TREE')
  })

  it('what a start has to resolve is found by the intents alone', () => {
    const plan = planOf(UNRESOLVED)
    expect(plan).toMatch(/audit_kind/)
    expect(plan).toMatch(/INDEX audit_result/)
  })
})
