/** Changes of leader over all elections of a cluster. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ElectionPrefix, Observed } from '../../lib/election/election-figures.ts'
import { type FailoverSummary, failoverSummaryOf } from '../../lib/election/failover-summary.ts'
import { isUnplanned } from '../../lib/election/terms.ts'
import { type Transition, transitionKind, transitionParts, transitionTotalMs } from '../../lib/election/transitions.ts'
import { CAUSES, type Cause, type ElectionRef } from '../../lib/election/types.ts'
import { instant, msOf } from '../../lib/shared/clock.ts'
import { clampLimit, cursorOf, parseParts } from './cursor.ts'
import type { Database, Params } from './database.ts'
import type { FailoverQuery, TransitionPage, TransitionQuery, TransitionRow, TransitionRowQuery } from './history.ts'
import { readStops } from './stops.ts'
import { type TermRow, termOf } from './term-row.ts'
import { blockAt, blockEnd, cacheOf } from './transition-cache.ts'

/** So many are read without letting anything else run: some milliseconds. */
const ROWS_PER_SLICE = 4_000
const TURN_MS = 10

/** Where the next slice begins; whole milliseconds belong together. */
const SLICE_END = `
  SELECT at_ms FROM transitions WHERE cluster_id = :cluster_id AND at_ms >= :from_ms AND at_ms < :to_ms
  ORDER BY at_ms LIMIT 1 OFFSET ${ROWS_PER_SLICE}`

// One text for all: rows that are handed over one by one take three times as long.
export const SLICE = `
  SELECT json_group_array(json_array(at_ms, election_id, cause, during_stop, silent_ms, refill_ms, next_ms, gap_ms,
    takeover_ms)) AS slice
  FROM (SELECT * FROM transitions
    WHERE cluster_id = :cluster_id AND at_ms >= :from_ms AND at_ms < :to_ms
    ORDER BY at_ms, election_id, epoch, token)`

type Narrow = [
  atMs: number,
  election: number,
  cause: Cause,
  duringStop: number | null,
  silentMs: number | null,
  refillMs: number | null,
  nextMs: number | null,
  gapMs: number | null,
  takeoverMs: number | null,
]

/** The term that goes on at the beginning of the range, or the first one after it. */
export const LED = `
  SELECT id, led_ms, ordinal FROM (
    SELECT id,
      coalesce(
        (SELECT from_ms FROM terms WHERE election_id = elections.id AND to_ms >= :from_ms ORDER BY to_ms LIMIT 1),
        (SELECT from_ms FROM terms INDEXED BY terms_open
          WHERE election_id = elections.id AND to_ms IS NULL)) AS led_ms,
      coalesce(
        (SELECT ordinal FROM terms WHERE election_id = elections.id AND to_ms >= :from_ms ORDER BY to_ms LIMIT 1),
        (SELECT ordinal FROM terms INDEXED BY terms_open
          WHERE election_id = elections.id AND to_ms IS NULL)) AS ordinal
    FROM elections WHERE cluster_id = :cluster_id
  ) WHERE led_ms < :to_ms ORDER BY id`

const ELECTIONS = 'SELECT id, ref, prefix, prefix_base64 FROM elections WHERE cluster_id = ?'
const CLUSTER = 'SELECT id FROM clusters WHERE name = ?'
const GAPS = `
  SELECT election_id, from_ms, to_ms, reason FROM gaps INDEXED BY gaps_end
  WHERE cluster_id = :cluster_id AND to_ms >= :from_ms AND from_ms < :to_ms ORDER BY from_ms, election_id`

interface Prepared {
  params: Params
  refs: ReadonlyMap<number, ElectionRef>
  /** Those that are asked for, by their ids. */
  asked: ReadonlyMap<number, ElectionPrefix>
}

/** The query as SQL takes it; null for a cluster that was never seen. */
function prepared(database: Database, query: TransitionQuery): Prepared | null {
  const cluster = database.statement(CLUSTER).get(query.cluster)
  if (cluster === undefined) return null
  const cluster_id = cluster.id as bigint
  const text = query.text?.toLowerCase()
  const refs = new Map<number, ElectionRef>()
  const asked = new Map<number, ElectionPrefix>()
  for (const row of database.statement(ELECTIONS).all(cluster_id)) {
    const { ref, prefix, prefix_base64 } = row as unknown as { ref: ElectionRef; prefix: string; prefix_base64: string }
    refs.set(Number(row.id), ref)
    if (text !== undefined && !prefix.toLowerCase().includes(text)) continue
    asked.set(Number(row.id), { ref, prefix, prefixBase64: prefix_base64 })
  }
  const ids = text === undefined ? null : JSON.stringify([...asked.keys()])
  return { params: { cluster_id, from_ms: msOf(query.from), to_ms: msOf(query.to), ids }, refs, asked }
}

export async function readFailovers(database: Database, query: FailoverQuery): Promise<FailoverSummary> {
  const at = prepared(database, query)
  const stops = await readStops(database, query)
  const observed = at === null ? NOTHING : { ...(await readObserved(database, at)), stops }
  return failoverSummaryOf(observed, query, { fromMs: msOf(query.from), toMs: msOf(query.to) })
}

type Led = Observed['elections'][number]
const NOTHING = { transitions: [], elections: [], gaps: [], stops: [] }

async function readObserved(database: Database, at: Prepared) {
  const { ids: _, ...range } = at.params
  const elections = database
    .statement(LED)
    .all(range)
    .flatMap((row) => ledElection(row, at.asked))
  await nextTurn()
  const gaps = database
    .statement(GAPS)
    .all(range)
    .flatMap((row) => gapOf(row, at.asked))
  return { transitions: await readSlices(database, at), elections, gaps }
}

const instantOf = (ms: unknown) => instant(Number(ms))

function ledElection(row: Record<string, unknown>, asked: Prepared['asked']): Led[] {
  const election = asked.get(Number(row.id))
  return election === undefined ? [] : [{ ...election, ledFrom: instantOf(row.led_ms), isFirst: row.ordinal === 1n }]
}

function gapOf(row: Record<string, unknown>, asked: Prepared['asked']): Observed['gaps'][number][] {
  const ref = row.election_id === 0n ? null : asked.get(Number(row.election_id))?.ref
  if (ref === undefined) return []
  return [{ ref, from: instantOf(row.from_ms), to: instantOf(row.to_ms), reason: String(row.reason) }]
}

/** Hours that were read before come from memory. */
async function readSlices(database: Database, { params, refs, asked }: Prepared): Promise<Transition[]> {
  const [fromMs, toMs] = [Number(params.from_ms), Number(params.to_ms)]
  const cluster = params.cluster_id as bigint
  const cache = cacheOf(database)
  const blocks: (readonly Transition[])[] = []
  let turnMs = performance.now()
  for (let atMs = blockAt(fromMs); atMs < toMs; atMs = blockEnd(atMs)) {
    blocks.push(cache.get(cluster, atMs) ?? (await readBlock(database, { cluster, refs, atMs })))
    if (performance.now() - turnMs < TURN_MS) continue
    await nextTurn()
    turnMs = performance.now()
  }
  const isAll = params.ids === null
  const wanted = new Set([...asked.values()].map(({ ref }) => ref))
  const isIn = ({ atMs, ref }: Transition) => atMs >= fromMs && atMs < toMs && (isAll || wanted.has(ref))
  // Only the hours at both ends can reach beyond the range.
  return blocks.flatMap((block, at) => (isAll && at > 0 && at < blocks.length - 1 ? block : block.filter(isIn)))
}

interface BlockAsked {
  cluster: bigint
  refs: ReadonlyMap<number, ElectionRef>
  /** Its beginning. */
  atMs: number
}

async function readBlock(database: Database, { cluster, refs, atMs }: BlockAsked): Promise<readonly Transition[]> {
  const to_ms = blockEnd(atMs)
  const transitions: Transition[] = []
  for (let fromMs = atMs; ; ) {
    const end = database.statement(SLICE_END).get({ cluster_id: cluster, from_ms: fromMs, to_ms })
    const endMs = end === undefined ? to_ms : Math.max(Number(end.at_ms), fromMs + 1)
    const row = database.statement(SLICE).get({ cluster_id: cluster, from_ms: fromMs, to_ms: endMs })
    for (const narrow of JSON.parse(String(row?.slice ?? '[]')) as Narrow[]) {
      const ref = refs.get(narrow[1])
      if (ref !== undefined) transitions.push(transitionOf(ref, narrow))
    }
    if (end === undefined) {
      // One of several slices may be older than a write that came in between.
      if (fromMs === atMs) cacheOf(database).put(cluster, atMs, transitions)
      return transitions
    }
    fromMs = endMs
    await nextTurn()
  }
}

function transitionOf(
  ref: ElectionRef,
  [atMs, , cause, duringStop, silentMs, refillMs, nextMs, gapMs, takeoverMs]: Narrow,
): Transition {
  const kind = transitionKind(cause, duringStop !== null)
  const parts = transitionParts(kind, { silentMs, refillMs }, { gapMs, takeoverMs })
  return { ref, atMs, nextMs, cause, kind, ...parts, totalMs: transitionTotalMs(nextMs, parts) }
}

const UNPLANNED = CAUSES.filter(isUnplanned)
  .map((cause) => `'${cause}'`)
  .join(', ')

export const PAGE = `
  SELECT at_ms, election_id, epoch, token FROM transitions
  WHERE cluster_id = :cluster_id AND at_ms >= :from_ms AND at_ms < :to_ms
    AND (:ids IS NULL OR election_id IN (SELECT value FROM json_each(:ids)))
    AND (:causes IS NULL OR cause IN (SELECT value FROM json_each(:causes)))
    AND (:at_ms IS NULL OR (at_ms, election_id, epoch, token) < (:at_ms, :election_id, :epoch, :token))
    AND NOT (cause IN (${UNPLANNED}) AND during_stop IS NULL AND EXISTS (
      SELECT 1 FROM json_each(:without) WHERE at_ms BETWEEN value ->> 0 AND value ->> 1))
  ORDER BY at_ms DESC, election_id DESC, epoch DESC, token DESC LIMIT :limit`
const TERM = 'SELECT * FROM terms WHERE election_id = :election_id AND epoch = :epoch AND token = :token'
const NEXT = `
  SELECT * FROM terms WHERE election_id = :election_id AND (epoch, token) > (:epoch, :token)
  ORDER BY epoch, token LIMIT 1`

export async function readTransitionRows(database: Database, query: TransitionRowQuery): Promise<TransitionPage> {
  const after = parseParts(query.cursor, 4)
  const at = prepared(database, query)
  if (at === null) return { rows: [] }
  const limit = clampLimit(query.limit)
  const [at_ms = null, election_id = null, epoch = null, token = null] = after ?? []
  const causes = query.causes === undefined ? null : JSON.stringify(query.causes)
  const without = JSON.stringify((query.without ?? []).map(({ from, to }) => [msOf(from), msOf(to)]))
  const found = database
    .statement(PAGE)
    .all({ ...at.params, at_ms, election_id, epoch, token, causes, without, limit: limit + 1 })
  const page = found.slice(0, limit)
  const last = page.at(-1)
  const cursor = [last?.at_ms, last?.election_id, last?.epoch, last?.token].map((part) => part as bigint)
  return {
    rows: page.flatMap((row) => rowOf(database, at.asked, row as Params)),
    ...(found.length > limit ? { nextCursor: cursorOf(cursor) } : {}),
  }
}

function rowOf(database: Database, asked: Prepared['asked'], row: Params): TransitionRow[] {
  const { election_id = null, epoch = null, token = null } = row
  const key = { election_id, epoch, token }
  const election = asked.get(Number(election_id))
  const term = database.statement(TERM).get(key) as TermRow | undefined
  const next = database.statement(NEXT).get(key) as TermRow | undefined
  if (election === undefined || term === undefined) return []
  return [{ ...election, term: termOf(term), next: next === undefined ? null : termOf(next) }]
}
