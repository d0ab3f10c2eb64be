/** Stops by kill switches on their way into the table, and back. */
import type { Stop } from '../../lib/election/stops.ts'
import { msOf } from '../../lib/shared/clock.ts'
import type { Database, Params } from './database.ts'
import type { StopQuery } from './history.ts'
import { epochMs } from './term-row.ts'

const MOST = 1_000

const STOP = `
  INSERT INTO stops (cluster_id, scope_base64, nonce, from_ms, to_ms, body)
  VALUES (:cluster_id, :scope_base64, :nonce, :from_ms, :to_ms, :body)
  ON CONFLICT (cluster_id, scope_base64, nonce, from_ms) DO UPDATE SET to_ms = excluded.to_ms, body = excluded.body`

/** Throws on a time that is none. */
export function stopParams(stop: Stop): Params {
  return {
    scope_base64: stop.scopeBase64,
    nonce: stop.nonce,
    from_ms: epochMs(stop.from),
    to_ms: stop.to === null ? null : epochMs(stop.to),
    body: JSON.stringify(stop),
  }
}

/** Inside a transaction. */
export function writeStops(database: Database, clusterId: bigint, stops: readonly Params[]): void {
  for (const stop of stops) database.statement(STOP).run({ cluster_id: clusterId, ...stop })
}

/** Newest first. */
export async function readStops(database: Database, { cluster, from, to, open }: StopQuery): Promise<Stop[]> {
  let rows = database.db
    .selectFrom('stops')
    .innerJoin('clusters', 'clusters.id', 'stops.cluster_id')
    .select('stops.body')
    .where('clusters.name', '=', cluster)
  if (to !== undefined) rows = rows.where('stops.from_ms', '<', BigInt(msOf(to)))
  if (open) rows = rows.where('stops.to_ms', 'is', null)
  if (from !== undefined) {
    const fromMs = BigInt(msOf(from))
    rows = rows.where(({ eb, or }) => or([eb('stops.to_ms', 'is', null), eb('stops.to_ms', '>=', fromMs)]))
  }
  const found = await rows.orderBy('stops.from_ms', 'desc').limit(MOST).execute()
  return found.map(({ body }) => JSON.parse(body) as Stop)
}
