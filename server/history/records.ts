/** Facts and gaps on their way into the tables. */
import type { Fact } from '../../lib/election/changes.ts'
import type { Gap, Term } from '../../lib/election/types.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { type QueuePiece, writeQueue } from './candidacies.ts'
import { closeConditions, writeConditions } from './conditions.ts'
import type { Database, Params } from './database.ts'
import { bodyOf } from './event-body.ts'
import type { AliveMark, ElectionIdentity } from './history.ts'
import { writeStops } from './stops.ts'
import { epochMs, paramsOf } from './term-row.ts'
import { followTerm } from './write-transitions.ts'

/** Everything is converted when it is recorded, so that a flush only binds and runs. */
export type Work =
  | { type: 'gap'; gap: Params }
  | { type: 'stops'; stops: readonly Params[] }
  | { type: 'conditions'; conditions: readonly Params[] }
  | { type: 'close-conditions'; atMs: number }
  | {
      type: 'election'
      election: Params
      events: readonly Params[]
      terms: readonly Params[]
      gaps: readonly Params[]
      queue: QueuePiece | null
    }

const CLUSTER = 'INSERT INTO clusters (name) VALUES (:name) ON CONFLICT (name) DO UPDATE SET name = name RETURNING id'

const ELECTION = `
  INSERT INTO elections (cluster_id, ref, layout, prefix, prefix_base64, found_by, confirmed, active_ms)
  VALUES (:cluster_id, :ref, :layout, :prefix, :prefix_base64, :found_by, :confirmed, :seen_ms)
  ON CONFLICT (cluster_id, ref) DO UPDATE SET found_by = excluded.found_by, confirmed = excluded.confirmed,
    active_ms = max(active_ms, :active_ms)
  RETURNING id`

const EVENT = `
  INSERT INTO events (election_id, at_ms, revision, type, body)
  VALUES (:election_id, :at_ms, :revision, :type, :body)`

const TERM = `
  INSERT INTO terms (election_id, epoch, token, ordinal, identity, key, key_base64, lease, from_ms, from_at_least,
    to_ms, gap_ms, takeover_ms, silent_ms, refill_ms, cause, ended_by, evidence, during_stop)
  VALUES (:election_id, :epoch, :token, :ordinal, :identity, :key, :key_base64, :lease, :from_ms, :from_at_least,
    :to_ms, :gap_ms, :takeover_ms, :silent_ms, :refill_ms, :cause, :ended_by, :evidence, :during_stop)
  ON CONFLICT (election_id, epoch, token) DO UPDATE SET ordinal = excluded.ordinal, identity = excluded.identity,
    key = excluded.key, key_base64 = excluded.key_base64, lease = excluded.lease, from_ms = excluded.from_ms,
    from_at_least = excluded.from_at_least, to_ms = excluded.to_ms, gap_ms = excluded.gap_ms,
    takeover_ms = excluded.takeover_ms, silent_ms = excluded.silent_ms, refill_ms = excluded.refill_ms, cause = excluded.cause,
    ended_by = excluded.ended_by, evidence = excluded.evidence,
    during_stop = excluded.during_stop`

// Only the newest term can be open; the end of an older one was lost with a full buffer or a crash.
// Without the hint SQLite walks all terms of the election, and there may be a million.
export const CLOSE_OLDER = `
  UPDATE terms INDEXED BY terms_open
  SET to_ms = max(from_ms, :from_ms), cause = 'unobserved', evidence = 'its end was not recorded'
  WHERE election_id = :election_id AND to_ms IS NULL AND (epoch, token) < (:epoch, :token)
  RETURNING epoch, token`

const GAP = `
  INSERT INTO gaps (cluster_id, election_id, from_ms, to_ms, reason)
  VALUES (:cluster_id, 0, :from_ms, :to_ms, :reason)
  ON CONFLICT (cluster_id, election_id, from_ms)
  DO UPDATE SET to_ms = max(to_ms, excluded.to_ms), reason = excluded.reason`

// A gap of the whole cluster comes as a fact of each of its elections too: once is enough.
const ELECTION_GAP = `
  INSERT INTO gaps (cluster_id, election_id, from_ms, to_ms, reason)
  SELECT :cluster_id, :election_id, :from_ms, :to_ms, :reason
  WHERE NOT EXISTS (SELECT 1 FROM gaps WHERE cluster_id = :cluster_id AND election_id = 0 AND from_ms = :from_ms)
  ON CONFLICT (cluster_id, election_id, from_ms)
  DO UPDATE SET to_ms = max(to_ms, excluded.to_ms), reason = excluded.reason`

const ALIVE = `
  UPDATE clusters SET alive_ms = :at_ms, kept_ms = coalesce(kept_ms, :first_ms), epoch = max(epoch, :epoch),
    high_revision = CASE WHEN :epoch > epoch OR (:epoch = epoch AND :revision > high_revision)
      THEN :revision ELSE high_revision END, memory = :memory
  WHERE id = :cluster_id`

export function gapWork(gap: Gap): Work {
  return { type: 'gap', gap: gapParams(gap) }
}

/** What of one change goes into one piece of work. */
export interface Part {
  facts: readonly Fact[]
  queue: QueuePiece | null
}

/** Throws on a fact that cannot be stored: a token that is no number, a time that is none. */
export function electionWork(election: ElectionIdentity, { facts, queue }: Part, seenMs: number): Work {
  const activeMs = facts.filter((fact) => fact.type !== 'gap').map((fact) => epochMs(fact.at))
  return {
    type: 'election',
    election: identityParams(election, { seenMs, activeMs: Math.max(0, ...activeMs) }),
    events: facts.map(eventParams),
    terms: facts.flatMap((fact) => ('term' in fact ? [paramsOf(fact.term)] : [])),
    gaps: facts.flatMap((fact) => (fact.type === 'gap' ? [gapParams(fact.gap)] : [])),
    queue,
  }
}

export function termWork(election: ElectionIdentity, term: Term, seenMs: number): Work {
  const activeMs = epochMs(term.to ?? term.from)
  return {
    type: 'election',
    election: identityParams(election, { seenMs, activeMs }),
    events: [],
    terms: [paramsOf(term)],
    gaps: [],
    queue: null,
  }
}

/** The newest of those that wait to be written, and when the first of them was. */
export interface Mark extends AliveMark {
  first: Instant
}

export function isMark(mark: AliveMark): boolean {
  return !Number.isNaN(Date.parse(mark.at)) && Number.isSafeInteger(mark.epoch) && /^\d{1,18}$/.test(mark.revision)
}

function electionRows({ events, terms, gaps, queue }: Extract<Work, { type: 'election' }>): number {
  const queued = queue === null ? 0 : queue.stand.size + queue.left.length
  return 1 + events.length + terms.length + gaps.length + queued
}

export function rowsOf(work: Work): number {
  switch (work.type) {
    case 'stops':
      return Math.max(1, work.stops.length)
    case 'conditions':
      return Math.max(1, work.conditions.length)
    case 'election':
      return electionRows(work)
    default:
      return 1
  }
}

export function clusterIdOf(database: Database, name: string): bigint {
  return (database.statement(CLUSTER).get({ name }) as { id: bigint }).id
}

/** Inside a transaction. */
export function writeWork(database: Database, clusterId: bigint, work: Work): void {
  switch (work.type) {
    case 'gap':
      database.statement(GAP).run({ cluster_id: clusterId, ...work.gap })
      return
    case 'stops':
      writeStops(database, clusterId, work.stops)
      return
    case 'conditions':
      writeConditions(database, clusterId, work.conditions)
      return
    case 'close-conditions':
      closeConditions(database, clusterId, work.atMs)
      return
    case 'election':
      writeElection(database, clusterId, work)
  }
}

function writeElection(database: Database, clusterId: bigint, work: Extract<Work, { type: 'election' }>): void {
  const row = database.statement(ELECTION).get({ cluster_id: clusterId, ...work.election }) as { id: bigint }
  const election_id = row.id
  for (const event of work.events) database.statement(EVENT).run({ election_id, ...event })
  for (const term of work.terms) writeTerm(database, election_id, term)
  for (const gap of work.gaps) database.statement(ELECTION_GAP).run({ cluster_id: clusterId, election_id, ...gap })
  if (work.queue !== null) writeQueue(database, election_id, work.queue)
}

/** Inside a transaction. */
export function writeMark(database: Database, clusterId: bigint, mark: Mark): void {
  database.statement(ALIVE).run({
    cluster_id: clusterId,
    at_ms: epochMs(mark.at),
    first_ms: epochMs(mark.first),
    epoch: mark.epoch,
    revision: BigInt(mark.revision),
    memory: JSON.stringify({
      clusterId: mark.clusterId,
      storedEpoch: mark.storedEpoch,
      rolledBack: mark.rolledBack,
    }),
  })
}

function writeTerm(database: Database, election_id: bigint, term: Params): void {
  database.statement(TERM).run({ election_id, ...term })
  const { epoch = null, token = null, from_ms = null, to_ms } = term
  const closed = to_ms === null ? database.statement(CLOSE_OLDER).all({ election_id, epoch, token, from_ms }) : []
  for (const older of [...closed, { epoch, token }]) {
    followTerm(database, { election_id, epoch: older.epoch ?? null, token: older.token ?? null })
  }
}

function identityParams(election: ElectionIdentity, times: { seenMs: number; activeMs: number }): Params {
  return {
    ref: election.ref,
    layout: election.layout,
    prefix: election.prefix,
    prefix_base64: election.prefixBase64,
    found_by: election.foundBy,
    confirmed: election.confirmed ? 1 : 0,
    seen_ms: times.seenMs,
    active_ms: times.activeMs,
  }
}

function eventParams(fact: Fact): Params {
  const { at, revision, type } = fact
  return { at_ms: epochMs(at), revision: BigInt(revision), type, body: bodyOf(fact) }
}

function gapParams(gap: Gap): Params {
  return { from_ms: epochMs(gap.from), to_ms: epochMs(gap.to), reason: gap.reason }
}
