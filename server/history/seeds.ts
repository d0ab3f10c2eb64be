/** What earlier runs knew of elections, read in pieces: a start with ten thousand must not stall. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Selectable } from 'kysely'
import type { Seed } from '../../lib/election/changes.ts'
import { isUnplanned } from '../../lib/election/terms.ts'
import { CAUSES, type ElectionRef, type Gap, type Layout, type Revision } from '../../lib/election/types.ts'
import { type Instant, instant, msOf } from '../../lib/shared/clock.ts'
import type { Database } from './database.ts'
import type { KnownElection } from './history.ts'
import type { ElectionsTable } from './schema.ts'
import { type TermRow, termOf } from './term-row.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const KEEP = { terms: 64, gaps: 32, failovers: 256 }
const TURN_MS = 15

// No cause holds a quote: they are words of our own.
const UNPLANNED = CAUSES.filter(isUnplanned)
  .map((cause) => `'${cause}'`)
  .join(', ')
const NEWEST = `SELECT * FROM terms WHERE election_id = ? ORDER BY epoch DESC, token DESC LIMIT ?`
const FAILOVERS = `
  SELECT to_ms FROM terms WHERE election_id = ? AND to_ms >= ? AND cause IN (${UNPLANNED})
  ORDER BY to_ms DESC LIMIT ${KEEP.failovers}`
const GAPS = `
  SELECT from_ms, to_ms, reason FROM gaps WHERE cluster_id = ? AND election_id = ? AND to_ms >= ?
  ORDER BY from_ms DESC LIMIT ${KEEP.gaps}`

export interface ClusterRow {
  id: bigint
  epoch: number
  highRevision: Revision
  aliveAt: Instant | null
}

export async function readCluster(database: Database, name: string): Promise<ClusterRow | null> {
  const row = await database.db.selectFrom('clusters').selectAll().where('name', '=', name).executeTakeFirst()
  if (row === undefined) return null
  return {
    id: row.id,
    epoch: Number(row.epoch),
    highRevision: row.high_revision.toString() as Revision,
    aliveAt: row.alive_ms === null ? null : instant(Number(row.alive_ms)),
  }
}

export async function readKnown(database: Database, cluster: bigint, now: Instant): Promise<KnownElection[]> {
  const { db } = database
  const active = db
    .selectFrom('elections')
    .select('id')
    .where('cluster_id', '=', cluster)
    .where('active_ms', '>=', BigInt(msOf(now) - DAY_MS))
  const open = db.selectFrom('terms').select('election_id as id').where('to_ms', 'is', null)
  const rows = await db
    .selectFrom('elections')
    .selectAll()
    .where('cluster_id', '=', cluster)
    .where('id', 'in', active.union(open))
    .execute()
  return withSeeds({ database, cluster, now }, rows)
}

export async function readSeeds(
  database: Database,
  at: { cluster: bigint; now: Instant },
  refs: readonly ElectionRef[],
): Promise<Map<ElectionRef, Seed>> {
  const seeds = new Map<ElectionRef, Seed>()
  for (let from = 0; from < refs.length; from += 200) {
    const rows = await database.db
      .selectFrom('elections')
      .selectAll()
      .where('cluster_id', '=', at.cluster)
      .where('ref', 'in', refs.slice(from, from + 200))
      .execute()
    for (const { ref, seed } of await withSeeds({ database, ...at }, rows)) seeds.set(ref, seed)
  }
  return seeds
}

interface Scope {
  database: Database
  cluster: bigint
  now: Instant
}

async function withSeeds(scope: Scope, rows: readonly Selectable<ElectionsTable>[]): Promise<KnownElection[]> {
  const known: KnownElection[] = []
  const ofCluster = gapsOf(scope, 0n)
  let turnEndMs = performance.now() + TURN_MS
  for (const row of rows) {
    if (performance.now() > turnEndMs) {
      await nextTurn()
      turnEndMs = performance.now() + TURN_MS
    }
    known.push({
      ref: row.ref as ElectionRef,
      layout: row.layout as Layout,
      prefix: row.prefix,
      prefixBase64: row.prefix_base64,
      foundBy: row.found_by,
      confirmed: row.confirmed === 1n,
      seed: seedOf(scope, row.id, ofCluster),
    })
  }
  return known
}

function seedOf(scope: Scope, election: bigint, ofCluster: readonly Gap[]): Seed {
  const { database, now } = scope
  const nowMs = msOf(now)
  const terms = newestTerms(database, election, nowMs - HOUR_MS).map(termOf)
  const ended = terms.filter((term) => term.to !== null)
  const failovers = database.statement(FAILOVERS).all(election, nowMs - DAY_MS)
  return {
    lastOrdinal: Math.max(0, ...terms.map((term) => term.ordinal)),
    openTerm: terms.find((term) => term.to === null) ?? null,
    ended: ended.slice(0, KEEP.terms).reverse(),
    gaps: merged(ofCluster, gapsOf(scope, election)),
    failovers: failovers.map((row) => instant(Number(row.to_ms))).reverse(),
  }
}

/** Newest first: those that ended after `sinceMs`, and always the open one and the newest ended one. */
function newestTerms(database: Database, election: bigint, sinceMs: number): TermRow[] {
  const isRecent = (row: TermRow) => row.to_ms === null || Number(row.to_ms) >= sinceMs
  const read = (limit: number) => database.statement(NEWEST).all(election, limit) as unknown as TermRow[]
  let rows = read(2)
  // Most elections change less than once an hour: two rows are all there is to see.
  if (rows.length === 2 && rows.every(isRecent)) rows = read(KEEP.terms + 1)
  const newestEnded = rows.find((row) => row.to_ms !== null)
  return rows.filter((row) => isRecent(row) || row === newestEnded)
}

function gapsOf(scope: Scope, election: bigint): Gap[] {
  const rows = scope.database.statement(GAPS).all(scope.cluster, election, msOf(scope.now) - HOUR_MS)
  return rows
    .map((row) => ({
      from: instant(Number(row.from_ms)),
      to: instant(Number(row.to_ms)),
      reason: row.reason as string,
    }))
    .reverse()
}

function merged(a: readonly Gap[], b: readonly Gap[]): Gap[] {
  if (b.length === 0) return [...a]
  const known = new Set(a.map((gap) => gap.from))
  return [...a, ...b.filter((gap) => !known.has(gap.from))].sort((x, y) => (x.from < y.from ? -1 : 1)).slice(-KEEP.gaps)
}
