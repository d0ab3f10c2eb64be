/** Ways by which a stale write could get past the guard in SQLite. */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { at } from './fence-subject-for-test.ts'
import { sqliteFence } from './sqlite.ts'
import { APPEND, useLedger } from './sqlite-ledger-for-test.ts'
import { formatToken } from './token.ts'

describe('SQLite', () => {
  const on = useLedger()

  it('an asynchronous work is refused and writes nothing, not even after its first await', async () => {
    const seen: string[] = []
    const attempt = on.fence.write(at('0.1'), async ({ db }) => {
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
    expect(on.lines()).toEqual([])
    await expect(on.fence.write(at('0.1'), ({ runOnce }) => void runOnce('a', async () => {}))).rejects.toThrow(
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
    await expect(on.fence.write(at('0.1'), ({ db }) => db.exec(text))).rejects.toThrow('leave that to the fence')
    await expect(on.fence.write(at('0.1'), ({ db }) => db.prepare(text).run())).rejects.toThrow(
      'leave that to the fence',
    )
    expect(on.db.isTransaction).toBe(false)
  })

  it('nor hidden behind another statement', async () => {
    const hidden = on.fence.write(at('0.1'), ({ db }) => {
      db.exec('SELECT 1; COMMIT; BEGIN')
      db.prepare(APPEND).run('unguarded')
    })
    await expect(hidden).rejects.toThrow('The work ended the transaction')
    const ended = on.fence.write(at('0.1'), ({ db }) => {
      db.exec('SELECT 1; COMMIT')
      db.prepare(APPEND).run('unguarded')
    })
    await expect(ended).rejects.toThrow('nothing more can be written')
    expect(on.lines()).toEqual([])
    expect(on.db.isTransaction).toBe(false)
  })

  it('what SQLite rolls back by itself is not continued outside of a transaction', async () => {
    const attempt = on.fence.write(at('0.9'), ({ db }) => {
      try {
        db.exec("INSERT OR ROLLBACK INTO ledger (id, line) VALUES (1, 'a'), (1, 'b')")
      } catch {
        // Swallowed.
      }
      db.prepare(APPEND).run('unguarded')
    })
    await expect(attempt).rejects.toThrow('nothing more can be written')
    expect(on.lines()).toEqual([])
    expect(await on.fence.highest('settlement')).toBe(null)
  })

  it('savepoints of the work are its own, and rolling back to one keeps the token', async () => {
    await on.fence.write(at('0.5'), ({ db }) => {
      db.exec('SAVEPOINT mine')
      db.prepare(APPEND).run('undone')
      db.exec('ROLLBACK TO mine')
      db.prepare(APPEND).run('kept')
    })
    expect(on.lines()).toEqual(['kept'])
    await expect(sqliteFence(on.other).write(at('0.4'), () => {})).rejects.toThrow('accepted 0.5')
  })

  it('a connection with an open transaction is refused, and the transaction is left alone', async () => {
    const { db } = on
    db.exec('BEGIN')
    db.prepare(APPEND).run('mine')
    await expect(on.fence.write(at('0.1'), () => {})).rejects.toThrow('has an open transaction')
    db.exec('COMMIT')
    expect(on.lines()).toEqual(['mine'])
    const nested = on.fence.write(
      at('0.1'),
      () => void on.fence.write(at('0.2'), () => {}).catch((error: Error) => linesSeen.push(error.message)),
    )
    const linesSeen: string[] = []
    await nested
    expect(linesSeen[0]).toContain('has an open transaction')
  })

  it('waits for another writer without stopping the event loop, then gives up in time', async () => {
    const { db } = on
    db.exec('PRAGMA busy_timeout = 3000')
    on.other.exec('BEGIN IMMEDIATE')
    const waiting = on.fence.write(at('0.1'), ({ db }) => db.prepare(APPEND).run('waited'))
    const startedAt = performance.now()
    await pause(50)
    // Waiting inside of SQLite would have kept this timer for the whole three seconds.
    expect(performance.now() - startedAt).toBeLessThan(2_500)
    on.other.exec('COMMIT')
    await waiting
    expect(on.lines()).toEqual(['waited'])

    on.other.exec('BEGIN IMMEDIATE')
    const hasty = sqliteFence(db, { busyTimeoutMs: 30 })
    await expect(hasty.write(at('0.1'), () => {})).rejects.toThrow(expect.objectContaining({ code: 'busy' }))
    on.other.exec('ROLLBACK')
  })

  it("leaves the connection's own busy timeout as it was", async () => {
    const { db } = on
    db.exec('PRAGMA busy_timeout = 1234')
    await on.fence.write(at('0.1'), () => {})
    on.other.exec('BEGIN IMMEDIATE')
    await sqliteFence(db, { busyTimeoutMs: 0 })
      .write(at('0.1'), () => {})
      .catch(() => {})
    on.other.exec('ROLLBACK')
    expect(db.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: 1234 })
  })

  it('a reader in the way of a commit (no WAL): nothing is written, and it says so', async () => {
    const { db } = on
    db.exec('PRAGMA journal_mode = DELETE')
    await on.fence.write(at('0.1'), ({ db }) => db.prepare(APPEND).run('a'))
    const reading = on.other.prepare('SELECT line FROM ledger').iterate()
    reading.next()
    await expect(on.fence.write(at('0.2'), ({ db }) => db.prepare(APPEND).run('b'))).rejects.toThrow(
      'nothing was written',
    )
    reading.return?.()
    expect(on.lines()).toEqual(['a'])
    const highest = await on.fence.highest('settlement')
    expect(highest && formatToken(highest)).toBe('0.1')
  })

  it("passes an error of the work on unchanged, also another database's SQLITE_BUSY", async () => {
    const busy = Object.assign(new Error('database is locked'), { errcode: 5 })
    const attempt = on.fence.write(at('0.1'), () => {
      throw busy
    })
    await expect(attempt).rejects.toBe(busy)
  })

  it('a connection that gives rows as arrays is guarded and remembers its runs', async () => {
    const db = new DatabaseSync(':memory:', { returnArrays: true })
    const fence = sqliteFence(db)
    await fence.createTables()
    const once = () => fence.write(at('0.5'), ({ runOnce }) => runOnce('k', () => 'first'))
    expect([await once(), await once()]).toEqual(['first', 'first'])
    await expect(fence.write(at('0.4'), () => {})).rejects.toThrow('accepted 0.5')
    expect(db.prepare('PRAGMA busy_timeout').get()).toEqual([0])
    db.close()
  })

  it('a temporary table of the same name does not take the place of the guard', async () => {
    await on.fence.write(at('0.9'), () => {})
    on.other.exec(
      'CREATE TEMP TABLE tenure_fences (resource TEXT PRIMARY KEY, epoch INTEGER, revision INTEGER, accepted_at TEXT)',
    )
    await expect(sqliteFence(on.other).write(at('0.1'), () => {})).rejects.toThrow('accepted 0.9')
  })
})
