/** `elections.events`: facts as they were recorded, newest first. */
import type { Selectable } from 'kysely'
import type { Leader, LeaseId, Revision } from '../../lib/election/types.ts'
import { instant, msOf } from '../../lib/shared/clock.ts'
import { clampLimit, cursorOf, parseCursor } from './cursor.ts'
import type { Database } from './database.ts'
import { termIn, wholeFact } from './event-body.ts'
import type { EventPage, EventRow, RangeQuery } from './history.ts'
import type { EventsTable } from './schema.ts'
import { electionIds } from './terms.ts'

export async function readEvents(database: Database, query: RangeQuery): Promise<EventPage> {
  const after = parseCursor(query.cursor)
  const ids = await electionIds(database, query.cluster, query.ref)
  if (ids === null) return { events: [] }
  const limit = clampLimit(query.limit)
  let rows = database.db.selectFrom('events').selectAll().where('election_id', '=', ids.election)
  if (query.from !== undefined) rows = rows.where('at_ms', '>=', BigInt(msOf(query.from)))
  if (query.to !== undefined) rows = rows.where('at_ms', '<', BigInt(msOf(query.to)))
  if (after !== null) {
    const [atMs, id] = after
    rows = rows.where(({ eb, refTuple, tuple }) => eb(refTuple('at_ms', 'id'), '<', tuple(atMs, id)))
  }
  const found = await rows
    .orderBy('at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return {
    events: await factsOf(database, ids.election, page),
    ...(found.length > limit && last !== undefined ? { nextCursor: cursorOf([last.at_ms, last.id]) } : {}),
  }
}

/** Facts of one election as they were recorded: the leader of a term is kept with the term alone. */
export async function factsOf(
  database: Database,
  election: bigint,
  rows: readonly Selectable<EventsTable>[],
): Promise<EventRow[]> {
  const bodies = rows.map((row) => JSON.parse(row.body) as object)
  const leaders = await leadersOf(database, election, bodies)
  return rows.map((row, at) => {
    const body = bodies[at] ?? {}
    const term = termIn(body)
    const leader = term === null ? null : (leaders.get(`${term.epoch}:${term.token}`) ?? null)
    const type = row.type as EventRow['type']
    const fact = { type, at: instant(Number(row.at_ms)), revision: row.revision.toString() as Revision }
    return wholeFact(fact, body, leader)
  })
}

async function leadersOf(
  database: Database,
  election: bigint,
  bodies: readonly object[],
): Promise<Map<string, Leader>> {
  const tokens = bodies.flatMap((body) => termIn(body) ?? []).map(({ token }) => BigInt(token))
  if (tokens.length === 0) return new Map()
  const rows = await database.db
    .selectFrom('terms')
    .select(['epoch', 'token', 'identity', 'key', 'key_base64', 'lease'])
    .where('election_id', '=', election)
    .where('token', 'in', [...new Set(tokens)])
    .execute()
  return new Map(
    rows.map(({ epoch, token, identity, key, key_base64: keyBase64, lease }) => {
      return [`${epoch}:${token}`, { identity, key, keyBase64, lease: lease as LeaseId | null }]
    }),
  )
}
