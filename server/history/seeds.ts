/** What earlier runs knew of elections, read in pieces: a start with ten thousand must not stall. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Selectable } from 'kysely'
import type { Seed } from '../../lib/election/changes.ts'
import { isUnplanned, KEEP } from '../../lib/election/terms.ts'
import { CAUSES, type ElectionRef, type Gap, type Layout, type Revision } from '../../lib/election/types.ts'
import { type Instant, instant, msOf } from '../../lib/shared/clock.ts'
import type { Database } from './database.ts'
import type { ClusterMemory, KnownElection } from './history.ts'
import type { ElectionsTable } from './schema.ts'
import { type TermRow, termOf } from './term-row.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const TURN_MS = 15

// No cause holds a quote: they are words of our own.
const UNPLANNED = CAUSES.filter(isUnplanned)
  .map((cause) => `'${cause}'`)
  .join(', ')
const NEWEST = `SELECT * FROM terms WHERE election_id = ? ORDER BY epoch DESC, token DESC LIMIT ?`
const FAILOVERS = `
  SELECT to_ms FROM terms WHERE election_id = ? AND to_ms >= ? AND cause IN (${UNPLANNED})
    AND during_stop IS NULL
  ORDER BY to_ms DESC LIMIT ${KEEP.failovers}`
const GAPS = `
  SELECT election_id, from_ms, to_ms, reason FROM gaps INDEXED BY gaps_end WHERE cluster_id = ? AND to_ms >= ?
  ORDER BY to_ms`
// Without the hint SQLite walks all terms there ever were.
export const KNOWN = `
  SELECT id FROM elections WHERE cluster_id = ? AND active_ms >= ?
  UNION SELECT election_id FROM terms INDEXED BY terms_open WHERE to_ms IS NULL
  UNION SELECT election_id FROM candidacies INDEXED BY candidacies_open WHERE to_ms IS NULL`
const ELECTION = 'SELECT * FROM elections WHERE id = ? AND cluster_id = ?'
const WHOLE_CLUSTER = 0n

export interface ClusterRow {
  id: bigint
  epoch: number
  highRevision: Revision
  aliveAt: Instant | null
  memory: ClusterMemory
}

export async function readCluster(database: Database, name: string): Promise<ClusterRow | null> {
  const row = await database.db.selectFrom('clusters').selectAll().where('name', '=', name).executeTakeFirst()
  if (row === undefined) return null
  return {
    id: row.id,
    epoch: Number(row.epoch),
    highRevision: row.high_revision.toString() as Revision,
    aliveAt: row.alive_ms === null ? null : instant(Number(row.alive_ms)),
    memory: row.memory === null ? {} : (JSON.parse(row.memory) as ClusterMemory),
  }
}

export async function readKnown(database: Database, cluster: bigint, now: Instant): Promise<KnownElection[]> {
  const rows = database.statement(KNOWN).all(cluster, msOf(now) - DAY_MS)
  return withSeeds(
    { database, cluster, now },
    rows.map((row) => row.id as bigint),
  )
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
      .select('id')
      .where('cluster_id', '=', at.cluster)
      .where('ref', 'in', refs.slice(from, from + 200))
      .execute()
    const ids = rows.map(({ id }) => id)
    for (const { ref, seed } of await withSeeds({ database, ...at }, ids)) seeds.set(ref, seed)
  }
  return seeds
}

type ElectionRow = Selectable<ElectionsTable>

interface Scope {
  database: Database
  cluster: bigint
  now: Instant
}

async function withSeeds(scope: Scope, ids: readonly bigint[]): Promise<KnownElection[]> {
  const known: KnownElection[] = []
  const gaps = recentGaps(scope)
  let turnEndMs = performance.now() + TURN_MS
  for (const id of ids) {
    if (performance.now() > turnEndMs) {
      await nextTurn()
      turnEndMs = performance.now() + TURN_MS
    }
    const row = scope.database.statement(ELECTION).get(id, scope.cluster) as ElectionRow | undefined
    if (row === undefined) continue
    known.push({
      ref: row.ref as ElectionRef,
      layout: row.layout as Layout,
      prefix: row.prefix,
      prefixBase64: row.prefix_base64,
      foundBy: row.found_by,
      confirmed: row.confirmed === 1n,
      seed: { ...seedOf(scope, id), gaps: merged(gaps.get(WHOLE_CLUSTER) ?? [], gaps.get(id) ?? []) },
    })
  }
  return known
}

function seedOf(scope: Scope, election: bigint): Omit<Seed, 'gaps'> {
  const nowMs = msOf(scope.now)
  const rows = newestTerms(scope.database, election, nowMs - HOUR_MS)
  const newestEnded = rows.find((row) => row.to_ms !== null)
  const terms = rows
    .filter((row) => row === newestEnded || row.to_ms === null || Number(row.to_ms) >= nowMs - HOUR_MS)
    .map(termOf)
  return {
    lastOrdinal: Math.max(0, ...terms.map((term) => term.ordinal)),
    openTerm: terms.find((term) => term.to === null) ?? null,
    ended: terms
      .filter((term) => term.to !== null)
      .slice(0, KEEP.terms)
      .reverse(),
    failovers: newestEnded === undefined ? [] : failoversOf(scope.database, election, nowMs - DAY_MS),
  }
}

function failoversOf(database: Database, election: bigint, sinceMs: number): Instant[] {
  const rows = database.statement(FAILOVERS).all(election, sinceMs)
  return rows.map((row) => instant(Number(row.to_ms))).reverse()
}

/** Newest first: at least the open one, the newest ended one, and those that ended after `sinceMs`. */
function newestTerms(database: Database, election: bigint, sinceMs: number): TermRow[] {
  const read = (limit: number) => database.statement(NEWEST).all(election, limit) as unknown as TermRow[]
  const rows = read(2)
  const oldest = rows[1]
  // Most elections change less than once an hour: two rows are all there is to see.
  return oldest === undefined || Number(oldest.to_ms ?? 0) < sinceMs ? rows : read(KEEP.terms + 1)
}

/** By election, oldest first; those of the whole cluster under 0. */
function recentGaps(scope: Scope): Map<bigint, Gap[]> {
  const gaps = new Map<bigint, Gap[]>()
  for (const row of scope.database.statement(GAPS).iterate(scope.cluster, msOf(scope.now) - HOUR_MS)) {
    const election = row.election_id as bigint
    const gap = { from: instant(Number(row.from_ms)), to: instant(Number(row.to_ms)), reason: row.reason as string }
    gaps.set(election, [...(gaps.get(election) ?? []), gap].slice(-KEEP.gaps))
  }
  return gaps
}

function merged(ofCluster: readonly Gap[], own: readonly Gap[]): Gap[] {
  const known = new Set(ofCluster.map((gap) => gap.from))
  return [...ofCluster, ...own.filter((gap) => !known.has(gap.from))]
    .sort((a, b) => (a.from < b.from ? -1 : 1))
    .slice(-KEEP.gaps)
}
