/**
 * Every name is written out with its schema: what the caller's search_path says must not decide which table
 * guards, or two writers could be guarded by two tables.
 */
import { FencingError } from './errors.ts'

const IDENTIFIER = /^[a-z_][a-z0-9_]{0,62}$/

export function checkSchema(schema: unknown): string {
  if (typeof schema === 'string' && IDENTIFIER.test(schema)) return schema
  throw new FencingError(
    'bad-input',
    `The schema is ${JSON.stringify(schema)}: give lower-case letters, digits and _, at most 63 characters.`,
  )
}

/**
 * The tables for your own migrations, run by one process at a time; `createTables()` may be called by many at
 * once. PostgreSQL 13 and newer. Default schema: `public`.
 */
export function postgresTables(schema = 'public'): string {
  const to = `"${checkSchema(schema)}"`
  return `-- Highest fencing token accepted for each resource. Deleting a row ends its protection.
CREATE TABLE IF NOT EXISTS ${to}.tenure_fences (
  resource    text COLLATE "C" PRIMARY KEY,
  epoch       bigint NOT NULL CHECK (epoch BETWEEN 0 AND 9007199254740991),
  revision    bigint NOT NULL CHECK (revision > 0),
  accepted_at timestamptz NOT NULL DEFAULT pg_catalog.now()
);
-- Runs that were done; result is JSON text, null when the work returned nothing.
CREATE TABLE IF NOT EXISTS ${to}.tenure_runs (
  resource text COLLATE "C" NOT NULL,
  key      text COLLATE "C" NOT NULL,
  result   text,
  done_at  timestamptz NOT NULL DEFAULT pg_catalog.now(),
  PRIMARY KEY (resource, key)
);
CREATE INDEX IF NOT EXISTS tenure_runs_done_at ON ${to}.tenure_runs (done_at);
`
}

const IDLE = 'idle_in_transaction_session_timeout'

export function statements(schema: string) {
  const fences = `"${schema}".tenure_fences`
  const runs = `"${schema}".tenure_runs`
  return {
    fences,
    /** Fails outside of a transaction, and takes no other lock than the insert that follows. */
    inTransaction: `LOCK TABLE ${fences} IN ROW EXCLUSIVE MODE`,
    /**
     * Checks, advances and locks the row in one statement: a conflicting row is locked also where the
     * condition refuses it, and judged in its newest version. $4: milliseconds, or null to leave it as it is.
     */
    accept: `INSERT INTO ${fences} AS held (resource, epoch, revision) VALUES ($1, $2::bigint, $3::bigint)
      ON CONFLICT (resource) DO UPDATE
        SET epoch = excluded.epoch, revision = excluded.revision, accepted_at = pg_catalog.now()
        WHERE (held.epoch, held.revision) <= (excluded.epoch, excluded.revision)
      RETURNING pg_catalog.pg_current_xact_id()::text AS xid, held.xmin::text AS mark, pg_catalog.set_config('${IDLE}',
        coalesce($4::text, pg_catalog.current_setting('${IDLE}')), true) AS idle`,
    highest: `SELECT epoch::text AS epoch, revision::text AS revision FROM ${fences} WHERE resource = $1`,
    /** The row's version as well: a work may roll back to a savepoint from before it was accepted. */
    standing: `SELECT pg_catalog.pg_current_xact_id_if_assigned()::text AS xid,
      (SELECT xmin::text FROM ${fences} WHERE resource = $1) AS mark`,
    /** Aborts the transaction: PostgreSQL then turns a COMMIT into a ROLLBACK. */
    abort: `DO $$ BEGIN RAISE EXCEPTION 'the fenced write failed: roll back' USING ERRCODE = 'TF001'; END $$`,
    findRun: `SELECT result FROM ${runs} WHERE resource = $1 AND key = $2`,
    recordRun: `INSERT INTO ${runs} (resource, key, result) VALUES ($1, $2, $3)`,
    pruneRuns: `WITH gone AS (
        DELETE FROM ${runs} WHERE done_at < pg_catalog.now() - $1::bigint * interval '1 millisecond' RETURNING 1
      ) SELECT pg_catalog.count(*)::text AS count FROM gone`,
    /** Two at once would both not find the table, and one would fail; the number is "tenure" in ASCII. */
    createLock: 'SELECT pg_catalog.pg_advisory_xact_lock(127978993709669)',
    createTables: postgresTables(schema),
  }
}

export type Statements = ReturnType<typeof statements>
