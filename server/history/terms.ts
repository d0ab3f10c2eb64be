/** `elections.terms`: terms in token order, newest first, with the gaps of the same time. */
import type { Gap, Term } from '../../lib/election/types.ts'
import { instant, msOf } from '../../lib/shared/clock.ts'
import { clampLimit, cursorOf, type Position, parseCursor } from './cursor.ts'
import type { Database } from './database.ts'
import type { RangeQuery, TermPage } from './history.ts'
import { type TermRow, termOf } from './term-row.ts'

const MAX_GAPS = 1_000

interface ElectionIds {
  cluster: bigint
  election: bigint
}

export async function readTerms(database: Database, query: RangeQuery): Promise<TermPage> {
  const after = parseCursor(query.cursor)
  const ids = await electionIds(database, query.cluster, query.ref)
  if (ids === null) return { terms: [], previous: null, gaps: [] }
  const limit = clampLimit(query.limit)
  const rows = await termRows(database, ids, { query, after, limit: limit + 1 })
  const inRange = query.from === undefined ? rows : rows.filter((row) => endsAfter(row, query.from ?? ''))
  const terms = inRange.slice(0, limit).map(termOf)
  const oldest = inRange[terms.length - 1]
  const more = inRange.length > limit && oldest !== undefined
  const upper = after === null ? query.to : await startOf(database, ids, after)
  const lower = more ? terms.at(-1)?.from : query.from
  const gaps = await gapRows(database, ids, { from: lower, to: upper, first: after === null })
  return {
    terms,
    previous: await termBefore(database, ids, oldest ?? null),
    gaps,
    ...(more ? { nextCursor: cursorOf([oldest.epoch, oldest.token]) } : {}),
  }
}

export async function electionIds(database: Database, cluster: string, ref: string): Promise<ElectionIds | null> {
  const row = await database.db
    .selectFrom('elections')
    .innerJoin('clusters', 'clusters.id', 'elections.cluster_id')
    .select(['elections.id as election', 'elections.cluster_id as cluster'])
    .where('clusters.name', '=', cluster)
    .where('elections.ref', '=', ref)
    .executeTakeFirst()
  return row ?? null
}

/** Terms follow each other, so the first that ended before `from` ends the page as well. */
const endsAfter = (row: TermRow, from: string) => row.to_ms === null || Number(row.to_ms) >= msOf(from)

function termsBefore(database: Database, ids: ElectionIds, after: Position | null) {
  let rows = database.db.selectFrom('terms').selectAll().where('election_id', '=', ids.election)
  if (after !== null) {
    const [epoch, token] = after
    rows = rows.where(({ eb, refTuple, tuple }) => eb(refTuple('epoch', 'token'), '<', tuple(epoch, token)))
  }
  return rows.orderBy('epoch', 'desc').orderBy('token', 'desc')
}

interface TermRange {
  query: RangeQuery
  after: Position | null
  limit: number
}

async function termRows(database: Database, ids: ElectionIds, range: TermRange): Promise<TermRow[]> {
  let rows = termsBefore(database, ids, range.after).limit(range.limit)
  if (range.query.to !== undefined) rows = rows.where('from_ms', '<', BigInt(msOf(range.query.to)))
  return rows.execute()
}

async function termBefore(database: Database, ids: ElectionIds, row: TermRow | null): Promise<Term | null> {
  if (row === null) return null
  const before = await termsBefore(database, ids, [row.epoch, row.token]).limit(1).executeTakeFirst()
  return before === undefined ? null : termOf(before)
}

async function startOf(database: Database, ids: ElectionIds, [epoch, token]: Position): Promise<string | undefined> {
  const row = await database.db
    .selectFrom('terms')
    .select('from_ms')
    .where('election_id', '=', ids.election)
    .where('epoch', '=', epoch)
    .where('token', '=', token)
    .executeTakeFirst()
  return row === undefined ? undefined : instant(Number(row.from_ms))
}

interface GapRange {
  from: string | undefined
  to: string | undefined
  /** Of the first page: a gap that goes on beyond the range belongs to it. */
  first: boolean
}

/** Each gap belongs to the page in which it ends. */
async function gapRows(database: Database, ids: ElectionIds, range: GapRange): Promise<Gap[]> {
  let rows = database.db
    .selectFrom('gaps')
    .select(['from_ms', 'to_ms', 'reason'])
    .where('cluster_id', '=', ids.cluster)
    .where('election_id', 'in', [0n, ids.election])
  if (range.from !== undefined) rows = rows.where('to_ms', '>=', BigInt(msOf(range.from)))
  if (range.to !== undefined) rows = rows.where(range.first ? 'from_ms' : 'to_ms', '<', BigInt(msOf(range.to)))
  const found = await rows.orderBy('from_ms', 'desc').limit(MAX_GAPS).execute()
  const gaps = new Map<string, Gap>()
  for (const { from_ms, to_ms, reason } of found) {
    const gap = { from: instant(Number(from_ms)), to: instant(Number(to_ms)), reason }
    const known = gaps.get(gap.from)
    if (known === undefined || known.to < gap.to) gaps.set(gap.from, gap)
  }
  return [...gaps.values()]
}
