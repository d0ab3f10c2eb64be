/** The books that the settlement writes: the resource that has to be protected, so the fence stands here. */
import { DatabaseSync } from 'node:sqlite'
import type { FencingToken } from '../../lib/election/epoch.ts'
import { type SqliteFence, sqliteFence } from '../../lib/fencing/index.ts'

const TABLES = `
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS settlement (
    region TEXT NOT NULL, slot INTEGER NOT NULL, batch INTEGER NOT NULL,
    amount_cents INTEGER NOT NULL, worker TEXT NOT NULL, token TEXT NOT NULL,
    PRIMARY KEY (region, slot, batch)
  ) STRICT`

export interface Batch {
  region: string
  /** Which run: one every few seconds. */
  slot: number
  batch: number
  worker: string
}

export interface Ledger {
  /** Books one batch, once and for all. False when an earlier run had booked it. Rejects with `StaleTokenError`. */
  book(batch: Batch, token: FencingToken): Promise<boolean>
  /** How many batches of this run are booked. */
  progress(region: string, slot: number): number
  close(): void
}

export async function openLedger(file: string, onRejected: () => void): Promise<Ledger> {
  const db = new DatabaseSync(file, { timeout: 5_000 })
  db.exec(TABLES)
  const fence: SqliteFence<DatabaseSync> = sqliteFence(db, { onRejected })
  await fence.createTables()
  const insert = 'INSERT INTO settlement VALUES (?, ?, ?, ?, ?, ?)'
  return {
    book: async ({ region, slot, batch, worker }, token) => {
      let isNew = false
      // One transaction: the token is checked, the key of the batch is recorded, the money is booked.
      await fence.write({ resource: `settlement/${region}`, token }, (tx) =>
        tx.runOnce(`${slot}/${batch}`, () => {
          const amount = 1_000 + ((slot * 31 + batch * 7) % 9_000)
          tx.db.prepare(insert).run(region, slot, batch, amount, worker, `${token.epoch}.${token.revision}`)
          isNew = true
          return amount
        }),
      )
      return isNew
    },
    progress: (region, slot) => {
      const count = 'SELECT count(*) AS n FROM settlement WHERE region = ? AND slot = ?'
      return (db.prepare(count).get(region, slot) as { n: number }).n
    },
    close: () => db.close(),
  }
}
