import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeTempFolder } from '../e2e/harness/temp-folder.ts'
import { systemClock } from '../lib/shared/clock.ts'
import { auditFile } from '../server/config/data-files.ts'
import { draft } from '../server/history/audit-fixtures.ts'
import { openSqliteAudit } from '../server/history/sqlite-audit.ts'

const SCRIPT = new URL('./db.mjs', import.meta.url).pathname
const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], { encoding: 'utf8' })
  return { status, text: stdout + stderr }
}

it('exports, imports and checks, and says where things are', () => {
  const folder = makeTempFolder('db')
  const [data, out, back] = ['data', 'out', 'back'].map((name) => join(folder.path, name)) as [string, string, string]
  const audit = openSqliteAudit({ file: auditFile(data), clock: systemClock })
  const { hash } = audit.add(draft())
  expect(run('export', out, '--data', data)).toEqual({
    status: 0,
    text: expect.stringContaining(`Exported to ${out}.`),
  })
  expect(run('import', out, '--data', back).text).toContain(`whole. 1 entry, last hash ${hash}`)
  expect(run('import', out, '--data', back)).toMatchObject({ status: 1, text: expect.stringContaining('--replace') })
  expect(run('import', out, '--data', back, '--replace').text).toContain('What was there before is in')
  expect(run('check', '--data', back)).toMatchObject({ status: 0, text: expect.stringContaining('MB: whole') })
  audit.close()
  folder.remove()
}, 30_000)

it('says what is wrong with what it was given', () => {
  expect(run('check', '--data', '/nowhere').text).toContain('/nowhere has no history.sqlite and no audit.sqlite.')
  expect(run('export')).toMatchObject({ status: 1, text: expect.stringContaining('export needs a folder') })
  expect(run('burn')).toMatchObject({ status: 1, text: expect.stringContaining('"burn" is no command of db') })
}, 30_000)
