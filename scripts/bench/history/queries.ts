/** What an election's page asks of history, by itself and beside a bare read of the same rows. */
import type { Instant } from '../../../lib/shared/clock.ts'
import { instant } from '../../../lib/shared/clock.ts'
import type { Database } from '../../../server/history/database.ts'
import type { History } from '../../../server/history/history.ts'
import { blockOf, type Tier } from '../../../server/history/tiers.ts'
import { percentile } from '../live/numbers.ts'
import { CLUSTER, ELECTIONS, electionAt } from './data.ts'
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
    await askPage(history, random.whole(ELECTIONS), { ...times, points })
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
    const first = random.whole(ELECTIONS) * 4 + 1
    const startedMs = performance.now()
    for (let block = blockOf(tier, nowMs - lengthMs); block <= blockOf(tier, nowMs); block += 1) {
      if (tier.index === 0) database.statement(SAMPLES).all(block, first, first + 3)
      else database.statement(ROWS).all(tier.index, block, first, first + 3)
    }
    took.push(performance.now() - startedMs)
  }
  return percentile(took, 0.95)
}
