import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from './database.ts'

let dir: string
const file = () => join(dir, 'deeper', 'tenure.db')

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tenure-database-'))
})

afterEach(() => rmSync(dir, { recursive: true }))

const INSERT = `INSERT INTO clusters (name, high_revision) VALUES ('prod', 9223372036854775807)`

describe('the database', () => {
  it('is made with its folder, durable and in WAL mode', async () => {
    const database = await openDatabase(file())
    expect(database.statement('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
    expect(database.statement('PRAGMA synchronous').get()).toEqual({ synchronous: 2n })
    await database.close()
  })

  it('migrates a file of an earlier run without touching its rows', async () => {
    const first = await openDatabase(file())
    first.raw.exec(INSERT)
    await first.close()
    const second = await openDatabase(file())
    const rows = await second.db.selectFrom('clusters').select(['name', 'high_revision']).execute()
    expect(rows).toEqual([{ name: 'prod', high_revision: 9223372036854775807n }])
    await second.close()
  })

  it('lives beside the tables of others in the same file', async () => {
    const other = await openDatabase(file())
    other.raw.exec('CREATE TABLE user (id TEXT PRIMARY KEY)')
    await other.close()
    const database = await openDatabase(file())
    expect(database.statement(`SELECT name FROM sqlite_master WHERE name = 'user'`).get()).toEqual({ name: 'user' })
    await database.close()
  })

  it('leaves nothing behind of a migration that failed half way', async () => {
    const path = join(dir, 'taken.db')
    const taken = new DatabaseSync(path)
    taken.exec('CREATE TABLE terms (somebody_elses INTEGER)')
    taken.close()
    await expect(openDatabase(path)).rejects.toThrow(/terms/)
    const after = new DatabaseSync(path)
    const tables = after.prepare(`SELECT name FROM sqlite_master WHERE name IN ('clusters', 'elections')`).all()
    expect(tables).toEqual([])
    after.close()
  })

  it('refuses a file of a newer version instead of misreading it', async () => {
    const first = await openDatabase(file())
    first.raw.exec(`INSERT INTO kysely_migration (name, timestamp) VALUES ('999-later', '2099-01-01')`)
    await first.close()
    await expect(openDatabase(file())).rejects.toThrow(/999-later/)
  })

  it('rolls a transaction back when its work throws', async () => {
    const database = await openDatabase(file())
    const work = () => {
      database.raw.exec(INSERT)
      throw new Error('no')
    }
    expect(() => database.transact(work)).toThrow('no')
    expect(database.statement('SELECT count(*) AS n FROM clusters').get()).toEqual({ n: 0n })
    database.transact(() => database.raw.exec(INSERT))
    await database.close()
  })
})
