/** Real processes on one file. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type OwnedProcess, spawnOwned } from '../../e2e/harness/owned-process.ts'
import { makeTempFolder, type TempFolder } from '../../e2e/harness/temp-folder.ts'
import { compareTokens } from '../election/epoch.ts'
import { sqliteFence } from './sqlite.ts'
import { parseToken } from './token.ts'

interface Racer {
  process: OwnedProcess
  /** Its answers, one for each line it was given. */
  answers: { accepted: number; rejected: number }[]
}

let folder: TempFolder
let file: string
let racers: Racer[]

beforeEach(async () => {
  folder = makeTempFolder('fencing')
  file = join(folder.path, 'ledger.db')
  racers = []
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE ledger (id INTEGER PRIMARY KEY, line TEXT NOT NULL) STRICT;')
  await sqliteFence(db).createTables()
  db.close()
})
afterEach(async () => {
  await Promise.all(racers.map((racer) => racer.process.kill()))
  folder.remove()
})

async function start(token: string): Promise<Racer> {
  const lines: string[] = []
  const script = join(import.meta.dirname, 'sqlite-racer-for-test.ts')
  const child = spawnOwned(process.execPath, [script, file, token], {
    stdin: 'pipe',
    env: process.env,
    onLine: (line) => lines.push(line),
  })
  const racer: Racer = {
    process: child,
    get answers() {
      return lines.slice(1).map((line) => JSON.parse(line) as Racer['answers'][number])
    },
  }
  racers.push(racer)
  await expect.poll(() => lines[0], { timeout: 20_000 }).toBe('ready')
  return racer
}

function written(): string[] {
  const db = new DatabaseSync(file)
  const rows = db.prepare('SELECT line FROM ledger ORDER BY id').all() as { line: string }[]
  db.close()
  return rows.map(({ line }) => line)
}

it('four processes race from the first write ever: tokens never go down, one run', { timeout: 60_000 }, async () => {
  const tokens = ['0.30', '1.2', '0.9', '0.100']
  const all = await Promise.all(tokens.map(start))
  for (const racer of all) racer.process.writeLine('150')
  await expect.poll(() => all.map((racer) => racer.answers.length), { timeout: 40_000 }).toEqual([1, 1, 1, 1])
  const lines = written()
  const accepted = lines.filter((line) => line !== 'first').map(parseToken)
  expect(accepted).toEqual(accepted.toSorted(compareTokens))
  expect(lines.filter((line) => line === 'first')).toHaveLength(1)
  // The highest is never refused; each other one was told of every refusal.
  for (const [index, { answers }] of all.entries()) {
    const count = lines.filter((line) => line === tokens[index]).length
    expect(answers[0]).toEqual({ accepted: count, rejected: 150 - count })
  }
  expect(all[1]?.answers[0]?.accepted).toBe(150)
})

it('a frozen leader that wakes up after its successor wrote is refused', { timeout: 60_000 }, async () => {
  const older = await start('0.10')
  older.process.writeLine('3')
  await expect.poll(() => older.answers, { timeout: 20_000 }).toEqual([{ accepted: 3, rejected: 0 }])
  older.process.freeze()
  older.process.writeLine('5')
  const newer = await start('0.20')
  newer.process.writeLine('1')
  await expect.poll(() => newer.answers, { timeout: 20_000 }).toEqual([{ accepted: 1, rejected: 0 }])
  older.process.thaw()
  await expect.poll(() => older.answers[1], { timeout: 20_000 }).toEqual({ accepted: 0, rejected: 5 })
  expect(written()).toEqual(['0.10', 'first', '0.10', '0.10', '0.20'])
})
