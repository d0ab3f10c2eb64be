import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeTempFolder, type TempFolder } from '../../e2e/harness/temp-folder.ts'
import type { FenceOptions } from './fence.ts'
import { at, type ContractFence, describeFence } from './fence-contract-for-test.ts'
import { type SqliteFenceOptions, sqliteFence } from './sqlite.ts'
import { sqliteTables } from './sqlite-sql.ts'
import { formatToken } from './token.ts'

const LEDGER = 'CREATE TABLE ledger (id INTEGER PRIMARY KEY, line TEXT NOT NULL) STRICT;'
const APPEND = 'INSERT INTO ledger (line) VALUES (?)'

function linesOf(db: DatabaseSync): string[] {
  return (db.prepare('SELECT line FROM ledger ORDER BY id').all() as { line: string }[]).map(({ line }) => line)
}

function contractOver(db: DatabaseSync, options: SqliteFenceOptions): ContractFence {
  const fence = sqliteFence(db, options)
  return {
    write: async (guarded, work) =>
      // The contract joins its steps without promises where there are none.
      fence.write(guarded, ({ db, runOnce }) => work({ append: (line) => void db.prepare(APPEND).run(line), runOnce })),
    highest: fence.highest,
    pruneRuns: fence.pruneRuns,
    get rejected() {
      return fence.rejected
    },
  }
}

describe.each([
  ['WAL', {}],
  ['WAL', { readBigInts: true, timeout: 5_000 }],
  ['DELETE', { timeout: 5_000 }],
])('journal %s, opened with %j', (journal, settings) => {
  describeFence('SQLite', async () => {
    const folder = makeTempFolder('fencing')
    const opened: DatabaseSync[] = []
    const open = () => {
      const db = new DatabaseSync(join(folder.path, 'ledger.db'), settings)
      opened.push(db)
      return db
    }
    const db = open()
    db.exec(`PRAGMA journal_mode = ${journal}; ${LEDGER}`)
    await sqliteFence(db).createTables()
    return {
      fence: contractOver(db, {}),
      another: (options: FenceOptions = {}) => contractOver(open(), options),
      lines: async () => linesOf(db),
      age: async (byMs) =>
        void db
          .prepare(
            "UPDATE tenure_runs SET done_at = strftime('%Y-%m-%dT%H:%M:%fZ', done_at, '-' || (? / 1000) || ' seconds')",
          )
          .run(byMs),
      close: () => {
        for (const each of opened) each.close()
        folder.remove()
      },
    }
  })
})

describe('SQLite', () => {
  let folder: TempFolder
  let db: DatabaseSync
  let other: DatabaseSync
  let fence: ReturnType<typeof sqliteFence<DatabaseSync>>
  beforeEach(async () => {
    folder = makeTempFolder('fencing')
    db = new DatabaseSync(join(folder.path, 'ledger.db'))
    db.exec(`PRAGMA journal_mode = WAL; ${LEDGER}`)
    other = new DatabaseSync(join(folder.path, 'ledger.db'))
    fence = sqliteFence(db)
    await fence.createTables()
  })
  afterEach(() => {
    if (db.isOpen) db.close()
    other.close()
    folder.remove()
  })

  it('an asynchronous work is refused and writes nothing, not even after its first await', async () => {
    const seen: string[] = []
    const attempt = fence.write(at('0.1'), async ({ db }) => {
      const append = db.prepare(APPEND)
      const returning = db.prepare(`${APPEND} RETURNING id`).iterate('iterated')
      append.run('before')
      await pause(1)
      for (const late of [
        () => append.run('after'),
        () => db.exec("INSERT INTO ledger (line) VALUES ('x')"),
        () => returning.next(),
      ]) {
        try {
          late()
        } catch (error) {
          seen.push((error as Error).message)
        }
      }
      throw new Error('nobody awaits this')
    })
    await expect(attempt).rejects.toThrow('must be synchronous')
    await expect.poll(() => seen.length).toBe(3)
    expect(seen.every((message) => message.includes('This write has ended'))).toBe(true)
    expect(linesOf(db)).toEqual([])
    await expect(fence.write(at('0.1'), ({ runOnce }) => void runOnce('a', async () => {}))).rejects.toThrow(
      'must be synchronous',
    )
  })

  it.each([
    'COMMIT',
    'end',
    'ROLLBACK',
    '  BEGIN',
    '-- done\n;/* so */ commit',
    'rollback transaction',
    'Begin Exclusive',
  ])('the work cannot end its transaction by %j', async (text) => {
    await expect(fence.write(at('0.1'), ({ db }) => db.exec(text))).rejects.toThrow('leave that to the fence')
    await expect(fence.write(at('0.1'), ({ db }) => db.prepare(text).run())).rejects.toThrow('leave that to the fence')
    expect(db.isTransaction).toBe(false)
  })

  it('nor hidden behind another statement', async () => {
    const hidden = fence.write(at('0.1'), ({ db }) => {
      db.exec('SELECT 1; COMMIT; BEGIN')
      db.prepare(APPEND).run('unguarded')
    })
    await expect(hidden).rejects.toThrow('The work ended the transaction')
    const ended = fence.write(at('0.1'), ({ db }) => {
      db.exec('SELECT 1; COMMIT')
      db.prepare(APPEND).run('unguarded')
    })
    await expect(ended).rejects.toThrow('nothing more can be written')
    expect(linesOf(db)).toEqual([])
    expect(db.isTransaction).toBe(false)
  })

  it('what SQLite rolls back by itself is not continued outside of a transaction', async () => {
    const attempt = fence.write(at('0.9'), ({ db }) => {
      try {
        db.exec("INSERT OR ROLLBACK INTO ledger (id, line) VALUES (1, 'a'), (1, 'b')")
      } catch {
        // Swallowed.
      }
      db.prepare(APPEND).run('unguarded')
    })
    await expect(attempt).rejects.toThrow('nothing more can be written')
    expect(linesOf(db)).toEqual([])
    expect(await fence.highest('settlement')).toBe(null)
  })

  it('savepoints of the work are its own, and rolling back to one keeps the token', async () => {
    await fence.write(at('0.5'), ({ db }) => {
      db.exec('SAVEPOINT mine')
      db.prepare(APPEND).run('undone')
      db.exec('ROLLBACK TO mine')
      db.prepare(APPEND).run('kept')
    })
    expect(linesOf(db)).toEqual(['kept'])
    await expect(sqliteFence(other).write(at('0.4'), () => {})).rejects.toThrow('accepted 0.5')
  })

  it('a connection with an open transaction is refused, and the transaction is left alone', async () => {
    db.exec('BEGIN')
    db.prepare(APPEND).run('mine')
    await expect(fence.write(at('0.1'), () => {})).rejects.toThrow('has an open transaction')
    db.exec('COMMIT')
    expect(linesOf(db)).toEqual(['mine'])
    const nested = fence.write(
      at('0.1'),
      () => void fence.write(at('0.2'), () => {}).catch((error: Error) => linesSeen.push(error.message)),
    )
    const linesSeen: string[] = []
    await nested
    expect(linesSeen[0]).toContain('has an open transaction')
  })

  it('waits for another writer without stopping the event loop, then gives up in time', async () => {
    db.exec('PRAGMA busy_timeout = 3000')
    other.exec('BEGIN IMMEDIATE')
    let ticks = 0
    const timer = setInterval(() => {
      ticks += 1
    }, 5)
    const waiting = fence.write(at('0.1'), ({ db }) => db.prepare(APPEND).run('waited'))
    await pause(100)
    other.exec('COMMIT')
    await waiting
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(5)
    expect(linesOf(db)).toEqual(['waited'])

    other.exec('BEGIN IMMEDIATE')
    const hasty = sqliteFence(db, { busyTimeoutMs: 30 })
    await expect(hasty.write(at('0.1'), () => {})).rejects.toThrow(expect.objectContaining({ code: 'busy' }))
    other.exec('ROLLBACK')
  })

  it("leaves the connection's own busy timeout as it was", async () => {
    db.exec('PRAGMA busy_timeout = 1234')
    await fence.write(at('0.1'), () => {})
    other.exec('BEGIN IMMEDIATE')
    await sqliteFence(db, { busyTimeoutMs: 0 })
      .write(at('0.1'), () => {})
      .catch(() => {})
    other.exec('ROLLBACK')
    expect(db.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: 1234 })
  })

  it('a reader in the way of a commit (no WAL): nothing is written, and it says so', async () => {
    db.exec('PRAGMA journal_mode = DELETE')
    await fence.write(at('0.1'), ({ db }) => db.prepare(APPEND).run('a'))
    const reading = other.prepare('SELECT line FROM ledger').iterate()
    reading.next()
    await expect(fence.write(at('0.2'), ({ db }) => db.prepare(APPEND).run('b'))).rejects.toThrow('nothing was written')
    reading.return?.()
    expect(linesOf(db)).toEqual(['a'])
    const highest = await fence.highest('settlement')
    expect(highest && formatToken(highest)).toBe('0.1')
  })

  it("passes an error of the work on unchanged, also another database's SQLITE_BUSY", async () => {
    const busy = Object.assign(new Error('database is locked'), { errcode: 5 })
    const attempt = fence.write(at('0.1'), () => {
      throw busy
    })
    await expect(attempt).rejects.toBe(busy)
  })

  it('a temporary table of the same name does not take the place of the guard', async () => {
    await fence.write(at('0.9'), () => {})
    other.exec(
      'CREATE TEMP TABLE tenure_fences (resource TEXT PRIMARY KEY, epoch INTEGER, revision INTEGER, accepted_at TEXT)',
    )
    await expect(sqliteFence(other).write(at('0.1'), () => {})).rejects.toThrow('accepted 0.9')
  })

  it('without its tables it says what to do, and creates them any number of times', async () => {
    const empty = new DatabaseSync(':memory:')
    const bare = sqliteFence(empty)
    for (const use of [
      () => bare.write(at('0.1'), () => {}),
      () => bare.highest('a'),
      () => bare.pruneRuns({ olderThanMs: 1 }),
    ]) {
      await expect(use()).rejects.toThrow('call createTables()')
    }
    await bare.createTables()
    empty.exec(sqliteTables)
    await bare.write(at('0.1'), () => {})
    empty.close()
  })

  it('refuses options that cannot work', () => {
    expect(() => sqliteFence(db, { busyTimeoutMs: -1 })).toThrow('busyTimeoutMs is -1')
  })
})
