/** Keeps `transitions` what a join over `terms` gives. */
import type { Database, Params } from './database.ts'
import { cacheOf } from './transition-cache.ts'

const TAKE_OUT = `
  DELETE FROM transitions WHERE election_id = :election_id AND epoch = :epoch AND token = :token
  RETURNING cluster_id, at_ms`

/** The term that follows, in the order of fencing tokens. */
export const NEXT_TERM = `
  SELECT epoch, token FROM terms
  WHERE election_id = :election_id AND (epoch, token) > (:epoch, :token)
  ORDER BY epoch, token LIMIT 1`

export const PUT = `
  INSERT INTO transitions (cluster_id, at_ms, election_id, epoch, token, cause, during_stop, silent_ms, refill_ms,
    next_ms, gap_ms, takeover_ms)
  SELECT elections.cluster_id, terms.to_ms, terms.election_id, terms.epoch, terms.token,
    coalesce(terms.cause, 'unobserved'), terms.during_stop, terms.silent_ms, terms.refill_ms,
    next.from_ms, next.gap_ms, next.takeover_ms
  FROM terms JOIN elections ON elections.id = terms.election_id
  LEFT JOIN terms AS next ON next.election_id = :election_id AND (next.epoch, next.token) = (${NEXT_TERM})
  WHERE terms.election_id = :election_id AND terms.epoch = :epoch AND terms.token = :token
    AND terms.to_ms IS NOT NULL
  RETURNING cluster_id, at_ms`

const BEFORE = `
  SELECT epoch, token FROM terms
  WHERE election_id = :election_id AND (epoch, token) < (:epoch, :token)
  ORDER BY epoch DESC, token DESC LIMIT 1`

/** After this term was written, inside the same transaction: its own end, and what followed the one before it. */
export function followTerm(database: Database, term: Params): void {
  renew(database, term)
  const before = database.statement(BEFORE).get(term)
  if (before !== undefined) {
    renew(database, { ...term, epoch: before.epoch ?? null, token: before.token ?? null })
  }
}

function renew(database: Database, term: Params): void {
  const touched = [database.statement(TAKE_OUT).get(term), database.statement(PUT).get(term)]
  for (const row of touched) {
    if (row !== undefined) cacheOf(database).forget(row.cluster_id as bigint, Number(row.at_ms))
  }
}
