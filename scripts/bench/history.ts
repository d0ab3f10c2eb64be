/** `npm run bench -- history`: a month of 1,000 elections, asked and written. What each row means: docs/performance.md. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../server/history/database.ts'
import { openSqliteHistory } from '../../server/history/sqlite-history.ts'
import { RAW, ROLLED, type Tier } from '../../server/history/tiers.ts'
import { openWorkerHistory } from '../../server/history/worker/worker-history.ts'
import { MONTH, type Size, SPAN_MS, WIDE } from './history/elections.ts'
import {
  asOfP95Ms,
  bareP95Ms,
  bareStandingMs,
  bareTransitionsMs,
  failoversP95Ms,
  pageP95Ms,
} from './history/queries.ts'
import { fillSamples } from './history/samples.ts'
import { Seeded } from './history/seeded.ts'
import { fillTerms } from './history/terms.ts'
import { idleP99Ms, writingP99Ms } from './history/writing.ts'
import { note } from './live/numbers.ts'
import { atMost, noReach, type Row } from './support/row.ts'

const SEED = 7
const HOUR_MS = 3_600_000

async function generate(file: string, nowMs: number, size: Size): Promise<number> {
  const startedMs = performance.now()
  const database = await openDatabase(file)
  database.raw.exec('PRAGMA synchronous = OFF')
  const drawn = { nowMs, random: new Seeded(SEED), size }
  fillTerms(database, drawn)
  if (size === MONTH) fillSamples(database, drawn)
  database.raw.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  await database.close()
  note(
    `${size.elections} elections generated in ${Math.round((performance.now() - startedMs) / 1_000)} s, seed ${SEED}`,
  )
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
    const value = await failoversP95Ms(history, nowMs)
    const reference = bareTransitionsMs(database, nowMs)
    yield { name: 'failovers page, 30 days, p95', value, unit: 'ms', reference, reach: atMost(400) }
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

async function* asOfRows(file: string, nowMs: number): AsyncGenerator<Row> {
  const database = await openDatabase(file)
  const reference = bareStandingMs(database, nowMs)
  await database.close()
  const inThread = openSqliteHistory({ file })
  const value = await asOfP95Ms(inThread, nowMs, WIDE.elections)
  await inThread.close()
  yield { name: 'as of a moment, 10,000 elections, p95', value, unit: 'ms', reference, reach: atMost(500) }
  const acrossThreads = openWorkerHistory({ file })
  const handedOver = await asOfP95Ms(acrossThreads, nowMs, WIDE.elections)
  await acrossThreads.close()
  yield { name: '… and handed to the server, p95', value: handedOver, unit: 'ms', reference: value, reach: noReach }
}

export async function* bench(): AsyncGenerator<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'tenure-bench-history-'))
  const file = join(folder, 'tenure.db')
  const nowMs = Date.now()
  try {
    const value = await generate(file, nowMs, MONTH)
    yield { name: 'database, a month of 1,000 elections', value, unit: 'GB', reach: atMost(1) }
    yield* pageRows(file, nowMs)
    yield* writingRows(file)
    const wide = join(folder, 'wide.db')
    await generate(wide, nowMs, WIDE)
    yield* asOfRows(wide, nowMs)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
