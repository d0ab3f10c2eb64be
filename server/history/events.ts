/** `elections.events`: facts as they were recorded, newest first. */
import { instant, msOf } from '../../lib/shared/clock.ts'
import { clampLimit, cursorOf, parseCursor } from './cursor.ts'
import type { Database } from './database.ts'
import type { EventPage, EventRow, RangeQuery } from './history.ts'
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
    events: page.map(eventOf),
    ...(found.length > limit && last !== undefined ? { nextCursor: cursorOf([last.at_ms, last.id]) } : {}),
  }
}

export function eventOf(row: { at_ms: bigint; revision: bigint; type: string; body: string }): EventRow {
  return {
    at: instant(Number(row.at_ms)),
    revision: row.revision.toString(),
    type: row.type,
    ...JSON.parse(row.body),
  } as EventRow
}
