import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeTempFolder, type TempFolder } from '../../e2e/harness/temp-folder.ts'
import { systemClock } from '../../lib/shared/clock.ts'
import { alertsFile, auditFile, historyFile, secretFile } from '../config/data-files.ts'
import type { Audit } from './audit.ts'
import { draft } from './audit-fixtures.ts'
import { checkData, exportData, importData } from './backup.ts'
import { DataFolderInUse, lockDataFolder } from './data-lock.ts'
import { type Database, openDatabase } from './database.ts'
import { SqliteAlerts } from './sqlite-alerts.ts'
import { openSqliteAudit } from './sqlite-audit.ts'

let folder: TempFolder
let data: string
let out: string
let audit: Audit
let history: Database
beforeEach(async () => {
  folder = makeTempFolder('backup')
  data = join(folder.path, 'data')
  out = join(folder.path, 'out')
  history = await openDatabase(historyFile(data))
  history.raw.exec("insert into clusters (name, epoch, high_revision) values ('eu', 0, 7)")
  audit = openSqliteAudit({ file: auditFile(data), clock: systemClock })
  audit.add(draft())
  writeFileSync(secretFile(data), 'secret', { mode: 0o600 })
})
afterEach(async () => {
  await history.close()
  audit.close()
  folder.remove()
})

const stopped = async () => {
  await history.close()
  audit.close()
}
const clusters = (dir: string) => {
  const database = new DatabaseSync(historyFile(dir), { readOnly: true })
  const rows = database.prepare('select name from clusters order by name').all() as { name: string }[]
  database.close()
  return rows.map(({ name }) => name)
}

test('an export beside a server has what was committed, is whole, and is for its owner alone', () => {
  history.raw.exec("begin; insert into clusters (name, epoch, high_revision) values ('us', 0, 7)")
  const files = exportData(data, out)
  history.raw.exec('commit')
  expect(files.map(({ words, trouble }) => [words, trouble])).toEqual([
    ['0 elections, 0 terms, 0 events', null],
    [expect.stringMatching(/^1 entry, last hash [0-9a-f]{64}$/), null],
  ])
  expect(readdirSync(out).sort()).toEqual(['audit.sqlite', 'auth-secret', 'history.sqlite'])
  expect(readdirSync(out).map((name) => statSync(join(out, name)).mode & 0o777)).toEqual([0o600, 0o600, 0o600])
  expect(clusters(out)).toEqual(['eu'])
})

test('an export takes no place that something else has', () => {
  mkdirSync(out)
  writeFileSync(join(out, 'other.txt'), '')
  expect(() => exportData(data, out)).toThrow(`${out} is not empty: name a new folder.`)
  expect(() => exportData(join(folder.path, 'nowhere'), out)).toThrow('has no history.sqlite and no audit.sqlite')
})

test('an import into a new folder, and in the place of another, which is kept', async () => {
  exportData(data, out)
  const elsewhere = join(folder.path, 'elsewhere')
  expect((await importData(out, elsewhere)).moved).toBeNull()
  expect([clusters(elsewhere), readFileSync(secretFile(elsewhere), 'utf8')]).toEqual([['eu'], 'secret'])

  history.raw.exec("insert into clusters (name, epoch, high_revision) values ('us', 0, 7)")
  await stopped()
  await expect(importData(out, data)).rejects.toThrow('has history.sqlite, ')
  expect(clusters(data)).toEqual(['eu', 'us'])
  const { moved, files } = await importData(out, data, { replace: true, at: new Date('2026-03-12T03:00:00Z') })
  expect(moved).toBe(join(data, 'replaced-2026-03-12T03-00-00.000Z'))
  expect([clusters(data), clusters(moved ?? '')]).toEqual([['eu'], ['eu', 'us']])
  expect(files.every(({ trouble }) => trouble === null)).toBe(true)
  expect(readdirSync(data).filter((name) => name.startsWith('incoming'))).toEqual([])
})

test('alerts go along, and an export of before there were any is whole without', async () => {
  const alerts = new SqliteAlerts(alertsFile(data))
  alerts.load('')
  alerts.save({ silences: [{ id: 's', rule: 'flapping', from: 'a', until: 'b', by: 'u1', comment: 'x', ended: null }] })
  expect(exportData(data, out).map(({ words }) => words)).toContain('0 alerts')
  alerts.close()
  rmSync(alertsFile(out))
  const to = join(folder.path, 'without')
  await importData(out, to)
  expect(checkData(to).map(({ trouble }) => trouble)).toEqual([null, null])
})

test('what is no whole export takes no place: one that lacks what stands there, and a folder in use', async () => {
  exportData(data, out)
  rmSync(historyFile(out))
  await expect(importData(data, join(folder.path, 'new'))).rejects.toThrow('is a data folder, not an export')
  await stopped()
  await expect(importData(out, data, { replace: true })).rejects.toThrow(
    `${out} has no history.sqlite, which ${data} has`,
  )
  expect(clusters(data)).toEqual(['eu'])
})

test('nothing is put under a server that runs', async () => {
  exportData(data, out)
  const lock = await lockDataFolder(data)
  await expect(importData(out, data, { replace: true })).rejects.toThrow(DataFolderInUse)
  expect(existsSync(historyFile(data))).toBe(true)
  lock.release()
})

test('what is damaged, broken or newer is named, is not exported, and does not take the place of what is whole', async () => {
  exportData(data, out)
  const broken = new DatabaseSync(auditFile(out))
  broken.exec("drop trigger audit_no_update; update audit set body = replace(body, 'Anna', 'Zora')")
  broken.close()
  await stopped()
  await expect(importData(out, data, { replace: true })).rejects.toThrow(
    /audit\.sqlite is not whole: broken at entry 1/,
  )
  expect(clusters(data)).toEqual(['eu'])

  const newer = new DatabaseSync(historyFile(data))
  newer.exec("insert into kysely_migration (name, timestamp) values ('999-later', '')")
  newer.close()
  expect(checkData(data)[0]?.trouble).toBe('written by a newer Tenure: this one does not know 999-later')
  truncateSync(historyFile(data), statSync(historyFile(data)).size - 4096)
  expect(checkData(data)[0]?.trouble).toMatch(/damaged|cannot be read/)
  expect(() => exportData(data, join(folder.path, 'third'))).toThrow(/history\.sqlite is not whole/)
})
