/** What is on record of one moment of a cluster, as rows of a snapshot that no writing changes. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isUnplanned } from '../../lib/election/terms.ts'
import { CAUSES } from '../../lib/election/types.ts'

const TURN_MS = 10

const UNPLANNED = CAUSES.filter(isUnplanned)
  .map((cause) => `'${cause}'`)
  .join(', ')
const QUEUED = `election_id, epoch, CAST(create_revision AS TEXT), CAST(mod_revision AS TEXT), key_base64, identity,
  value_bytes, lease, nested, held, since_ms, since_at_least`
const TERM = `t.election_id, t.epoch, CAST(t.token AS TEXT), t.ordinal, t.identity, t.key, t.key_base64, t.lease,
  t.from_ms, t.from_at_least, t.to_ms, t.gap_ms, t.takeover_ms, t.silent_ms, t.cause, t.ended_by, t.evidence,
  t.during_stop, t.refill_ms`

/** Each election's terms are sought by index: there may be any number of others. */
const ofEach = (which: string) => `
  SELECT ${TERM} FROM elections e CROSS JOIN terms t ON t.election_id = e.id AND (t.epoch, t.token) =
    (SELECT epoch, token FROM terms WHERE election_id = e.id AND ${which} LIMIT 1)
  WHERE e.cluster_id = :cluster AND e.id BETWEEN :first AND :last`

export const PAST_SQL = {
  cluster: 'SELECT id, kept_ms, alive_ms FROM clusters WHERE name = :name',
  elections:
    'SELECT id, ref, layout, prefix, prefix_base64, found_by, confirmed FROM elections WHERE cluster_id = :cluster ORDER BY id',
  queuedThen: `SELECT ${QUEUED} FROM candidacies INDEXED BY candidacies_over WHERE to_ms > :at AND from_ms <= :at`,
  queuedStill: `SELECT ${QUEUED} FROM candidacies INDEXED BY candidacies_open 
    WHERE election_id BETWEEN :first AND :last AND to_ms IS NULL AND from_ms <= :at`,
  endedLast: ofEach('to_ms <= :at ORDER BY to_ms DESC, epoch DESC, token DESC'),
  endedNext: `${ofEach('to_ms > :at ORDER BY to_ms, epoch, token')} AND t.from_ms <= :at`,
  open: `SELECT ${TERM} FROM terms t INDEXED BY terms_open
    WHERE t.election_id BETWEEN :first AND :last AND t.to_ms IS NULL AND t.from_ms <= :at`,
  endedLately: `
    SELECT ${TERM} FROM elections e CROSS JOIN terms t INDEXED BY terms_end ON t.election_id = e.id
    WHERE e.cluster_id = :cluster AND e.id BETWEEN :first AND :last AND t.to_ms >= :hour AND t.to_ms <= :at`,
  failovers: `
    SELECT t.election_id, t.to_ms FROM elections e CROSS JOIN terms t INDEXED BY terms_end ON t.election_id = e.id
    WHERE e.cluster_id = :cluster AND e.id BETWEEN :first AND :last AND t.to_ms >= :day AND t.to_ms <= :at AND t.cause IN (${UNPLANNED})
      AND t.during_stop IS NULL`,
  gaps: `
    SELECT election_id, from_ms, to_ms, reason FROM gaps INDEXED BY gaps_end
    WHERE cluster_id = :cluster AND to_ms >= :hour AND from_ms <= :at`,
  stops: `
    SELECT body FROM stops WHERE cluster_id = :cluster AND from_ms <= :at AND (to_ms IS NULL OR to_ms >= :hour)
    ORDER BY from_ms`,
} as const

export type PastRow = readonly (string | number | null)[]

/** Own connection, own snapshot: reading may take several turns of the event loop. */
export class PastReader {
  private readonly raw: DatabaseSync
  private readonly statements = new Map<string, StatementSync>()
  private turnEndMs = performance.now() + TURN_MS

  constructor(file: string) {
    this.raw = new DatabaseSync(file, { readOnly: true, timeout: 1_000 })
    this.raw.exec('BEGIN')
  }

  read(which: keyof typeof PAST_SQL, params: Record<string, SQLInputValue>): PastRow[] {
    const statement = this.statements.get(which) ?? this.raw.prepare(PAST_SQL[which])
    this.statements.set(which, statement)
    statement.setAllowUnknownNamedParameters(true)
    statement.setReturnArrays(true)
    return statement.all(params) as unknown as PastRow[]
  }

  /** Lets others in, when it has been long enough. */
  async breathe(): Promise<void> {
    if (performance.now() < this.turnEndMs) return
    await nextTurn()
    this.turnEndMs = performance.now() + TURN_MS
  }

  close(): void {
    this.raw.close()
  }
}
