/** `npm run bench -- history`: a month of 1,000 elections, asked and written. What each row means: docs/performance.md. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../server/history/database.ts'
import { RAW, ROLLED, type Tier } from '../../server/history/tiers.ts'
import { openWorkerHistory } from '../../server/history/worker/worker-history.ts'
import { fillSamples, fillTerms, SPAN_MS } from './history/data.ts'
import { bareP95Ms, pageP95Ms } from './history/queries.ts'
import { idleP99Ms, writingP99Ms } from './history/writing.ts'
import { note } from './live/numbers.ts'
import { atMost, type Row } from './support/row.ts'

const SEED = 7
const HOUR_MS = 3_600_000

async function generate(file: string, nowMs: number): Promise<number> {
  const database = await openDatabase(file)
  database.raw.exec('PRAGMA synchronous = OFF')
  fillTerms(database, nowMs, SEED)
  fillSamples(database, nowMs, SEED)
  database.raw.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  await database.close()
  return statSync(file).size / 1e9
}

async function* pageRows(file: string, nowMs: number): AsyncGenerator<Row> {
  const history = openWorkerHistory({ file })
  const database = await openDatabase(file)
  try {
    for (const [name, lengthMs, points, tier, mostMs] of [
      ['election page, 30 days, p95', SPAN_MS, 370, ROLLED[2] as Tier, 150],
      ['election page, 1 hour, p95', HOUR_MS, 372, RAW, 40],
    ] as const) {
      const value = await pageP95Ms(history, nowMs, { lengthMs, points })
      const reference = bareP95Ms(database, nowMs, { lengthMs, tier })
      yield { name, value, unit: 'ms', reference, reach: atMost(mostMs) }
    }
  } finally {
    await database.close()
    await history.close()
  }
}

async function* writingRows(file: string): AsyncGenerator<Row> {
  const history = openWorkerHistory({ file })
  const reference = await idleP99Ms()
  const value = await writingP99Ms(history)
  await history.close()
  yield { name: 'event loop while writing, p99', value, unit: 'ms', reference, reach: atMost(20) }
}

export async function* bench(): AsyncGenerator<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'tenure-bench-history-'))
  const file = join(folder, 'tenure.db')
  const nowMs = Date.now()
  try {
    const startedMs = performance.now()
    const value = await generate(file, nowMs)
    note(`generated in ${Math.round((performance.now() - startedMs) / 1_000)} s, seed ${SEED}`)
    yield { name: 'database, a month of 1,000 elections', value, unit: 'GB', reach: atMost(1) }
    yield* pageRows(file, nowMs)
    yield* writingRows(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
