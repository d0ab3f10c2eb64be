/** Names begin with `main.`: a temporary table of the same name must not take the guard's place. */

/**
 * The tables for your own migrations; `createTables()` runs the same. SQLite 3.37 and newer. Numbers are
 * stored as 64-bit integers.
 */
export const sqliteTables = `-- Highest fencing token accepted for each resource. Deleting a row ends its protection.
CREATE TABLE IF NOT EXISTS main.tenure_fences (
  resource    TEXT PRIMARY KEY NOT NULL,
  epoch       INTEGER NOT NULL CHECK (epoch BETWEEN 0 AND 9007199254740991),
  revision    INTEGER NOT NULL CHECK (revision > 0),
  accepted_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT, WITHOUT ROWID;
-- Runs that were done; result is JSON text, null when the work returned nothing.
CREATE TABLE IF NOT EXISTS main.tenure_runs (
  resource TEXT NOT NULL,
  key      TEXT NOT NULL,
  result   TEXT,
  done_at  TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  PRIMARY KEY (resource, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS main.tenure_runs_done_at ON tenure_runs (done_at);
`

/** Held from begin to commit: it is gone when the work has ended the transaction and begun another. */
const MARK = 'tenure_fenced_write'

export const statements = {
  mark: `SAVEPOINT ${MARK}`,
  unmark: `RELEASE ${MARK}`,
  accept: `INSERT INTO main.tenure_fences (resource, epoch, revision) VALUES (?, ?, ?)
    ON CONFLICT (resource) DO UPDATE
      SET epoch = excluded.epoch, revision = excluded.revision, accepted_at = excluded.accepted_at
      WHERE (tenure_fences.epoch, tenure_fences.revision) <= (excluded.epoch, excluded.revision)
    RETURNING 1 AS accepted`,
  // As text: a 64-bit integer may come as a double or a bigint, as the connection was opened.
  highest: `SELECT CAST(epoch AS TEXT) AS epoch, CAST(revision AS TEXT) AS revision
    FROM main.tenure_fences WHERE resource = ?`,
  findRun: 'SELECT result FROM main.tenure_runs WHERE resource = ? AND key = ?',
  recordRun: 'INSERT INTO main.tenure_runs (resource, key, result) VALUES (?, ?, ?)',
  pruneRuns: `DELETE FROM main.tenure_runs
    WHERE done_at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-' || (? / 1000.0) || ' seconds')`,
}
