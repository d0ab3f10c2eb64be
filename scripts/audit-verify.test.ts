import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { systemClock } from '../lib/shared/clock.ts'
import { draft } from '../server/history/audit-fixtures.ts'
import { openSqliteAudit } from '../server/history/sqlite-audit.ts'

const SCRIPT = new URL('./audit-verify.mjs', import.meta.url).pathname
const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], { encoding: 'utf8' })
  return { status, text: stdout + stderr }
}

it('tells a whole log, a changed entry and an end that was cut off, beside a server that has the file open', () => {
  const dir = mkdtempSync(join(tmpdir(), 'tenure-verify-'))
  const audit = openSqliteAudit({ file: join(dir, 'audit.sqlite'), clock: systemClock })
  const first = audit.add(draft())
  const last = audit.add(draft({ operation: 'op-2' }))
  const whole = run('--data', dir)
  expect(whole.text).toContain(`2 entries, unbroken from ${first.at} to ${last.at}, last hash ${last.hash}`)
  expect(whole.status).toBe(0)
  expect(run('--data', dir, '--expect', last.hash).status).toBe(0)
  const cut = run('--data', dir, '--expect', 'a'.repeat(64))
  expect(cut.text).toContain('the end of the log was cut off')
  expect(cut.status).toBe(1)
  const database = new DatabaseSync(join(dir, 'audit.sqlite'))
  database.exec(`drop trigger audit_no_update; update audit set body = replace(body, 'Anna', 'Zora') where number = 2`)
  database.close()
  const changed = run('--data', dir)
  expect(changed.text).toMatch(/Broken at entry 2 of \S+: changed, or .*\nThe 1 entry before it: unbroken\./)
  expect(changed.status).toBe(1)
  audit.close()
  rmSync(dir, { recursive: true })
})

it('says what is wrong with what it was given', () => {
  expect(run('--data', '/nowhere')).toMatchObject({ status: 1, text: expect.stringContaining('There is no audit log') })
  expect(run('--expect', 'abc')).toMatchObject({ status: 1, text: expect.stringContaining('64 hexadecimal digits') })
  expect(run('--what')).toMatchObject({ status: 1, text: expect.stringContaining('Usage:') })
})
