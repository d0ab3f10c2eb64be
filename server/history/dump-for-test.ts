/** All that a history says happened, as text. */
import { DatabaseSync } from 'node:sqlite'

/** The tables that tell what happened. Samples are measurements: they come from look-ups, not from changes. */
const TABLES = ['clusters', 'elections', 'candidacies', 'terms', 'events', 'gaps', 'stops']

/** Every row with its id, one a line. */
export function dump(file: string): string {
  const database = new DatabaseSync(file, { readOnly: true, readBigInts: true })
  try {
    const rows = TABLES.flatMap((table) =>
      database
        .prepare(`SELECT * FROM ${table} ORDER BY 1, 2, 3, 4`)
        .all()
        .map((row) => ({ table, ...row })),
    )
    const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)
    return rows.map((row) => `${JSON.stringify(row, plain)}\n`).join('')
  } finally {
    database.close()
  }
}
