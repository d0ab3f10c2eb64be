import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Audit } from './audit.ts'
import { chainHash, NO_HASH } from './audit-chain.ts'
import { draft, outcome } from './audit-fixtures.ts'
import { verifyAudit } from './audit-verify.ts'
import { ManualClock } from './fixtures.ts'
import { openSqliteAudit } from './sqlite-audit.ts'

let dir: string
let audit: Audit
let hashes: string[]
const clock = new ManualClock()
const file = () => join(dir, 'audit.sqlite')

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tenure-verify-'))
  audit = openSqliteAudit({ file: file(), clock })
  hashes = [1, 2, 3, 4, 5].map((n) => audit.add(draft({ operation: `op-${n}`, reason: `reason ${n}` })).hash)
})

afterEach(() => {
  audit.close()
  rmSync(dir, { recursive: true })
})

/** As somebody with the file and without scruples does it. */
function tamper(sql: string): void {
  const database = new DatabaseSync(file())
  database.exec(
    'drop trigger audit_no_update; drop trigger audit_no_delete; drop trigger audit_in_order; PRAGMA recursive_triggers = off',
  )
  database.exec(sql)
  database.close()
}

const row = (number: number) => {
  const database = new DatabaseSync(file())
  const found = database.prepare('select * from audit where number = ?').get(number) as Record<string, string>
  database.close()
  return found
}
const quoted = (text: string | undefined) => `'${String(text).replaceAll("'", "''")}'`
const broken = () => verifyAudit(file()).broken

describe('a log as it was written', () => {
  it('is unbroken, also while entries are added', () => {
    const { from, to } = { from: row(1).at, to: row(5).at }
    expect(verifyAudit(file())).toEqual({ count: 5, from, to, lastHash: hashes[4], broken: null })
    audit.add(outcome('verified', { operation: 'op-5' }))
    expect(verifyAudit(file())).toMatchObject({ count: 6, broken: null })
  })

  it('without entries is unbroken', () => {
    audit.close()
    dir = mkdtempSync(join(tmpdir(), 'tenure-verify-'))
    audit = openSqliteAudit({ file: file(), clock })
    audit.list({ limit: 1 })
    expect(verifyAudit(file())).toEqual({ count: 0, from: null, to: null, lastHash: NO_HASH, broken: null })
  })

  it('that grew since its hash was noted still has that hash', () => {
    expect(verifyAudit(file(), hashes[4]).expectedAt).toBe(5)
    expect(verifyAudit(file(), hashes[2]).expectedAt).toBe(3)
  })
})

describe('a log that was tampered with', () => {
  it('names an entry whose text was changed', () => {
    tamper(`update audit set body = replace(body, 'reason 3', 'reason X') where number = 3`)
    expect(broken()).toEqual({ number: 3, at: row(3).at, what: expect.stringMatching(/^changed, or/) })
  })

  it('names the last entry when that was changed', () => {
    tamper(`update audit set body = replace(body, 'Anna', 'Zora') where number = 5`)
    expect(broken()).toMatchObject({ number: 5, what: expect.stringMatching(/^changed/) })
  })

  it('names the entry after one that was changed together with its hash', () => {
    const body = row(3).body?.replace('reason 3', 'reason X') ?? ''
    tamper(`update audit set body = ${quoted(body)}, hash = '${chainHash(hashes[1] ?? '', body)}' where number = 3`)
    expect(broken()).toMatchObject({ number: 4, what: expect.stringContaining('changed together with its hash') })
  })

  it('names a column that says something else than the text', () => {
    tamper(`update audit set verb = 'see', ref = null where number = 2`)
    expect(broken()).toMatchObject({ number: 2, what: 'changed: verb, ref beside it differ from what its text says' })
  })

  it('names entries that are missing', () => {
    tamper('delete from audit where number = 3')
    expect(broken()).toEqual({ number: 3, at: null, what: expect.stringMatching(/^missing: the next one is number 4/) })
    tamper2('delete from audit where number = 1')
    expect(broken()).toMatchObject({ number: 1, what: expect.stringMatching(/^missing: the next one is number 2/) })
    tamper2('delete from audit where number = 2')
    expect(broken()).toMatchObject({ number: 1, what: expect.stringMatching(/^missing, with all up to number 3/) })
  })

  it('names the place of one that is missing although the others were numbered anew', () => {
    tamper('delete from audit where number = 3; update audit set number = number - 1 where number > 3')
    expect(broken()).toMatchObject({ number: 3, what: expect.stringContaining('its text says that it is number 4') })
  })

  it('names an entry that was put in', () => {
    const body = row(3).body?.replace('op-3', 'op-X') ?? ''
    const hash = chainHash(hashes[1] ?? '', body)
    tamper(`update audit set number = number + 1000 where number >= 3;
      insert into audit (number, at, kind, operation, verb, cluster, ref, body, hash)
        select 3, at, kind, 'op-X', verb, cluster, ref, ${quoted(body)}, 'f00' from audit where number = 1003;
      update audit set number = number - 999 where number > 1000`)
    expect(broken()).toMatchObject({ number: 3, what: expect.stringMatching(/^put in/) })
    tamper2(`update audit set hash = '${hash}' where number = 3`)
    expect(broken()).toMatchObject({ number: 4, what: expect.stringContaining('its text says that it is number 3') })
  })

  it('names the first of two that changed places', () => {
    tamper('update audit set number = 99 where number = 2; update audit set number = 2 where number = 4')
    tamper2('update audit set number = 4 where number = 99')
    expect(broken()).toMatchObject({ number: 2, what: expect.stringContaining('its text says that it is number 4') })
  })

  it('shows that its end was cut off only by a hash that was noted elsewhere', () => {
    tamper('delete from audit where number > 3')
    expect(verifyAudit(file())).toMatchObject({ count: 3, broken: null })
    expect(verifyAudit(file(), hashes[4])).toMatchObject({ broken: null, expectedAt: null })
  })
})

/** The triggers are gone already. */
function tamper2(sql: string): void {
  const database = new DatabaseSync(file())
  database.exec(sql)
  database.close()
}
