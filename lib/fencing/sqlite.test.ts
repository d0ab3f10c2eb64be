import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { makeTempFolder } from '../../e2e/harness/temp-folder.ts'
import type { FenceOptions } from './fence.ts'
import { describeFence } from './fence-contract-for-test.ts'
import { at, type ContractFence } from './fence-subject-for-test.ts'
import { type SqliteFenceOptions, sqliteFence } from './sqlite.ts'
import { APPEND, LEDGER, linesOf } from './sqlite-ledger-for-test.ts'
import { sqliteTables } from './sqlite-sql.ts'

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
      // Waiting for the disk protects only from power cuts.
      db.exec('PRAGMA synchronous = OFF')
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
    expect(() => sqliteFence(new DatabaseSync(':memory:'), { busyTimeoutMs: -1 })).toThrow('busyTimeoutMs is -1')
  })
})
