/** What an election's page asks of history, by itself and beside a bare read of the same rows. */
import type { Instant } from '../../../lib/shared/clock.ts'
import { instant } from '../../../lib/shared/clock.ts'
import type { Database } from '../../../server/history/database.ts'
import type { History } from '../../../server/history/history.ts'
import { blockOf, type Tier } from '../../../server/history/tiers.ts'
import { percentile } from '../live/numbers.ts'
import { CLUSTER, electionAt, MONTH, SPAN_MS } from './elections.ts'
import { Seeded } from './seeded.ts'

const TIMES = 100

export interface Range {
  lengthMs: number
  points: number
}

async function askPage(
  history: History,
  election: number,
  { from, to, points }: { from: Instant; to: Instant; points: number },
) {
  const { ref } = electionAt(election)
  const query = { cluster: CLUSTER, ref, from, to }
  const [renewals, terms] = await Promise.all([
    history.renewals({ ...query, points }),
    history.terms({ ...query, limit: 500 }),
    history.conditions({ cluster: CLUSTER, from, to }),
    history.stops({ cluster: CLUSTER, from, to }),
    history.annotations({ cluster: CLUSTER, ref }),
  ])
  if (renewals.series.length === 0 || terms.terms.length === 0)
    throw new Error(`nothing is kept of election ${election}`)
}

/** p95 over random elections, each asked once so that no cache of its rows helps. */
export async function pageP95Ms(history: History, nowMs: number, { lengthMs, points }: Range): Promise<number> {
  const random = new Seeded(11)
  const took: number[] = []
  for (let at = 0; at < TIMES; at += 1) {
    const startedMs = performance.now()
    const times = { from: instant(nowMs - lengthMs), to: instant(nowMs) }
    await askPage(history, random.whole(MONTH.elections), { ...times, points })
    took.push(performance.now() - startedMs)
  }
  return percentile(took, 0.95)
}

const ROWS = 'SELECT * FROM rolled WHERE tier = ? AND block = ? AND series_id BETWEEN ? AND ?'
const SAMPLES = 'SELECT * FROM samples WHERE block = ? AND series_id BETWEEN ? AND ?'

/** The same rows by bare SQLite in this thread, without terms, sketches, or anything made of them. */
export function bareP95Ms(
  database: Database,
  nowMs: number,
  { lengthMs, tier }: { lengthMs: number; tier: Tier },
): number {
  const random = new Seeded(11)
  const took: number[] = []
  for (let at = 0; at < TIMES; at += 1) {
    const first = random.whole(MONTH.elections) * 4 + 1
    const startedMs = performance.now()
    for (let block = blockOf(tier, nowMs - lengthMs); block <= blockOf(tier, nowMs); block += 1) {
      if (tier.index === 0) database.statement(SAMPLES).all(block, first, first + 3)
      else database.statement(ROWS).all(tier.index, block, first, first + 3)
    }
    took.push(performance.now() - startedMs)
  }
  return percentile(took, 0.95)
}

/** p95 of the failovers page of all elections, the first of which finds no cache. */
export async function failoversP95Ms(history: History, nowMs: number): Promise<number> {
  const took: number[] = []
  for (let at = 0; at < 20; at += 1) {
    const startedMs = performance.now()
    // A page that follows the clock asks for another range each time.
    const range = { from: instant(nowMs - SPAN_MS - at * 7_000), to: instant(nowMs - at * 7_000) }
    const objective = { percent: 95, withinMs: 12_000 }
    const { totals } = await history.failovers({ cluster: CLUSTER, ...range, objective, elections: 50 })
    if (totals.failovers === 0) throw new Error('no failover is kept')
    took.push(performance.now() - startedMs)
  }
  return percentile(took, 0.95)
}

const NARROW = 'SELECT * FROM transitions WHERE cluster_id = 1 AND at_ms >= ?'

/** All of its rows by bare SQLite, each handed over. */
export function bareTransitionsMs(database: Database, nowMs: number): number {
  const startedMs = performance.now()
  let rows = 0
  for (const _ of database.statement(NARROW).iterate(nowMs - SPAN_MS)) rows += 1
  if (rows === 0) throw new Error('no transition is kept')
  return performance.now() - startedMs
}

/** p95 of putting all elections of the cluster together as they were at a moment. */
export async function asOfP95Ms(history: History, nowMs: number, elections: number): Promise<number> {
  const random = new Seeded(31)
  const took: number[] = []
  for (let at = 0; at < 12; at += 1) {
    const moment = instant(nowMs - Math.round(SPAN_MS * (0.05 + 0.9 * random.next())))
    const startedMs = performance.now()
    const past = await history.past(CLUSTER, moment)
    took.push(performance.now() - startedMs)
    if (past.elections.length < elections * 0.99) throw new Error(`${past.elections.length} elections at ${moment}`)
  }
  return percentile(took, 0.95)
}

const STANDING = 'SELECT * FROM candidacies WHERE from_ms <= ? AND (to_ms IS NULL OR to_ms > ?)'

/** Who stood then, by bare SQLite. */
export function bareStandingMs(database: Database, nowMs: number): number {
  const atMs = nowMs - SPAN_MS / 2
  const startedMs = performance.now()
  database.statement(STANDING).all(atMs, atMs)
  return performance.now() - startedMs
}
