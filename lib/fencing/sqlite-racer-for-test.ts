/** A process that writes through the guard: `node … <file> <token>`; each line it reads is so many writes. */

import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { StaleTokenError } from './errors.ts'
import { sqliteFence } from './sqlite.ts'
import { parseToken } from './token.ts'

const [file = '', text = ''] = process.argv.slice(2)
const db = new DatabaseSync(file)
const fence = sqliteFence(db, { busyTimeoutMs: 30_000 })
const guarded = { resource: 'settlement', token: parseToken(text) }

async function writeOnce(): Promise<boolean> {
  try {
    await fence.write(guarded, (tx) => {
      tx.db.prepare('INSERT INTO ledger (line) VALUES (?)').run(text)
      return tx.runOnce('first', () => tx.db.exec("INSERT INTO ledger (line) VALUES ('first')"))
    })
    return true
  } catch (error) {
    if (!(error instanceof StaleTokenError)) throw error
    return false
  }
}

process.stdout.write('ready\n')
for await (const line of createInterface({ input: process.stdin })) {
  let accepted = 0
  for (let left = Number(line); left > 0; left -= 1) {
    if (await writeOnce()) accepted += 1
    await new Promise(setImmediate)
  }
  process.stdout.write(`${JSON.stringify({ accepted, rejected: fence.rejected })}\n`)
}
