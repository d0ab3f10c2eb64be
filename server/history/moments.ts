/** What changed next to a moment: the nearest events, and edges of gaps and stops. */

import type { Selectable } from 'kysely'
import { parseRef } from '../../lib/election/ids.ts'
import { edgesOf, type Moment, type MomentChange, nearest, STEPS } from '../../lib/election/moments.ts'
import { stops } from '../../lib/election/stops.ts'
import type { ElectionRef, Gap } from '../../lib/election/types.ts'
import { base64FromLatin1 } from '../../lib/shared/bytes.ts'
import { instant, msOf } from '../../lib/shared/clock.ts'
import type { Database } from './database.ts'
import { factsOf } from './events.ts'
import type { BesideQuery } from './history.ts'
import type { EventsTable } from './schema.ts'
import { readStops } from './stops.ts'
import { electionIds } from './terms.ts'

const MOST = 100
const TYPES = STEPS.map((type) => `'${type}'`).join(', ')
const WHOLE_CLUSTER = 0n

/** Both by the index of all events; one election's by its own. */
const nearestEvent = (order: 'ASC' | 'DESC', index: 'events_moment' | 'events_at') => `
  SELECT v.at_ms FROM events v INDEXED BY ${index} CROSS JOIN elections e ON e.id = v.election_id
  WHERE v.at_ms ${order === 'ASC' ? '>' : '<'} :at AND v.type IN (${TYPES}) AND e.cluster_id = :cluster
    ${index === 'events_at' ? 'AND v.election_id = :election' : ''}
  ORDER BY v.at_ms ${order} LIMIT 1`
const EVENTS_AT = `
  SELECT e.ref, v.*
  FROM events v INDEXED BY events_moment CROSS JOIN elections e ON e.id = v.election_id
  WHERE v.at_ms = :at AND v.type IN (${TYPES}) AND e.cluster_id = :cluster AND :election IN (0, e.id)
  ORDER BY v.id LIMIT ${MOST}`
const nearestGap = (order: 'ASC' | 'DESC', column: 'from_ms' | 'to_ms') => `
  SELECT from_ms, to_ms, reason FROM gaps
  WHERE cluster_id = :cluster AND election_id IN (0, :election) AND ${column} ${order === 'ASC' ? '>' : '<'} :at
  ORDER BY ${column} ${order} LIMIT 1`

type EventAt = Selectable<EventsTable> & { ref: string }

interface Scope {
  database: Database
  /** `election` is 0 for all of the cluster. */
  params: { cluster: bigint; election: bigint; at: number }
  order: 'ASC' | 'DESC'
}

export async function readBeside(database: Database, query: BesideQuery): Promise<Moment | null> {
  const { cluster: name, ref, at, direction } = query
  const cluster = database.statement('SELECT id FROM clusters WHERE name = ?').get(name)?.id as bigint | undefined
  const ids = ref === undefined ? null : await electionIds(database, name, ref)
  if (cluster === undefined || (ref !== undefined && ids === null)) return null
  const params = { cluster, election: ids?.election ?? WHOLE_CLUSTER, at: msOf(at) }
  const scope: Scope = { database, params, order: direction === 'next' ? 'ASC' : 'DESC' }
  const prefixBase64 = ref === undefined ? null : base64FromLatin1(parseRef(ref).prefixLatin1)
  const known = await readStops(database, { cluster: name })
  const held = known.filter((stop) => prefixBase64 === null || stops(stop, prefixBase64))
  return nearest([...(await eventsOf(scope)), ...edgesOf(gapsOf(scope), held)], at, direction)
}

async function eventsOf({ database, params, order }: Scope): Promise<MomentChange[]> {
  const { election, ...ofAll } = params
  const one = election !== WHOLE_CLUSTER
  const found = database.statement(nearestEvent(order, one ? 'events_at' : 'events_moment')).get(one ? params : ofAll)
  if (found === undefined) return []
  const rows = database.statement(EVENTS_AT).all({ ...params, at: found.at_ms as bigint }) as unknown as EventAt[]
  const changes: MomentChange[] = []
  for (const [id, own] of Map.groupBy(rows, (row) => row.election_id)) {
    const facts = await factsOf(database, id, own)
    for (const event of facts) changes.push({ type: 'election', ref: own[0]?.ref as ElectionRef, event })
  }
  return changes
}

function gapsOf({ database, params, order }: Scope): Gap[] {
  const gaps = (['from_ms', 'to_ms'] as const).flatMap((column) => {
    const row = database.statement(nearestGap(order, column)).get(params)
    if (row === undefined) return []
    return [{ from: instant(Number(row.from_ms)), to: instant(Number(row.to_ms)), reason: String(row.reason) }]
  })
  const [first, second] = gaps
  return first !== undefined && first.from === second?.from ? [first] : gaps
}
