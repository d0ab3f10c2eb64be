/** What etcd itself was like, on its way into the table, and back. */
import type { Selectable } from 'kysely'
import type { Condition, ConditionKind } from '../../lib/election/conditions.ts'
import type { Gap } from '../../lib/election/types.ts'
import { type Instant, instant, msOf } from '../../lib/shared/clock.ts'
import type { Database, Params } from './database.ts'
import type { ConditionQuery, Conditions } from './history.ts'
import type { ConditionsTable } from './schema.ts'
import { epochMs } from './term-row.ts'

/** The newest of each kind of answer; more would be no chart. */
export const MOST_CONDITIONS = 5_000

const CONDITION = `
  INSERT INTO conditions (cluster_id, from_ms, kind, subject, to_ms, words, raft_term)
  VALUES (:cluster_id, :from_ms, :kind, :subject, :to_ms, :words, :raft_term)
  ON CONFLICT (cluster_id, from_ms, kind, subject) DO UPDATE SET to_ms = excluded.to_ms, words = excluded.words,
    raft_term = excluded.raft_term`

// What an earlier run left open ended for all that is known when it last saw the cluster.
const CLOSE_LEFT = `
  UPDATE conditions SET to_ms = max(from_ms, :at_ms) WHERE cluster_id = :cluster_id AND to_ms IS NULL`

/** Throws on a time that is none. */
export function conditionParams({ kind, subject, from, to, words, raftTerm }: Condition): Params {
  return {
    from_ms: epochMs(from),
    kind,
    subject,
    to_ms: to === null ? null : epochMs(to),
    words: words ?? null,
    raft_term: raftTerm ?? null,
  }
}

/** Inside a transaction. */
export function writeConditions(database: Database, clusterId: bigint, conditions: readonly Params[]): void {
  for (const condition of conditions) database.statement(CONDITION).run({ cluster_id: clusterId, ...condition })
}

/** Inside a transaction. */
export function closeConditions(database: Database, clusterId: bigint, atMs: number): void {
  database.statement(CLOSE_LEFT).run({ cluster_id: clusterId, at_ms: atMs })
}

export async function readConditions(database: Database, query: ConditionQuery): Promise<Conditions> {
  const { cluster } = query
  const row = await database.db.selectFrom('clusters').select('id').where('name', '=', cluster).executeTakeFirst()
  if (row === undefined) return { conditions: [], gaps: [] }
  const fromMs = BigInt(msOf(query.from))
  const toMs = BigInt(msOf(query.to))
  const conditions = await database.db
    .selectFrom('conditions')
    .selectAll()
    .where('cluster_id', '=', row.id)
    .where('from_ms', '<', toMs)
    .where(({ eb, or }) => or([eb('to_ms', 'is', null), eb('to_ms', '>=', fromMs)]))
    .orderBy('from_ms', 'desc')
    .limit(MOST_CONDITIONS)
    .execute()
  const gaps = await database.db
    .selectFrom('gaps')
    .select(['from_ms', 'to_ms', 'reason'])
    .where('cluster_id', '=', row.id)
    .where('election_id', '=', 0n)
    .where('from_ms', '<', toMs)
    .where('to_ms', '>=', fromMs)
    .orderBy('from_ms', 'desc')
    .limit(MOST_CONDITIONS)
    .execute()
  return { conditions: conditions.map(conditionOf).reverse(), gaps: gaps.map(gapOf).reverse() }
}

const SINCE = `
  SELECT kept_ms, (SELECT at_ms FROM transitions WHERE cluster_id = clusters.id ORDER BY at_ms LIMIT 1) AS first_ms
  FROM clusters WHERE name = ?`

/** Queues are on record since the first mark; terms of a folder that is older than that go back further. */
export function readObservedSince(database: Database, cluster: string): Instant | null {
  const { kept_ms = null, first_ms = null } = database.statement(SINCE).get(cluster) ?? {}
  const known = [kept_ms, first_ms].filter((ms) => ms !== null).map(Number)
  return known.length === 0 ? null : instant(Math.min(...known))
}

function conditionOf(row: Selectable<ConditionsTable>): Condition {
  return {
    kind: row.kind as ConditionKind,
    subject: row.subject,
    from: instant(Number(row.from_ms)),
    to: row.to_ms === null ? null : instant(Number(row.to_ms)),
    ...(row.words === null ? {} : { words: row.words }),
    ...(row.raft_term === null ? {} : { raftTerm: row.raft_term }),
  }
}

function gapOf({ from_ms, to_ms, reason }: { from_ms: bigint; to_ms: bigint; reason: string }): Gap {
  return { from: instant(Number(from_ms)), to: instant(Number(to_ms)), reason }
}
