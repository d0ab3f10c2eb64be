import type { Database } from '../../../server/history/database.ts'

const PER_TRANSACTION = 50_000

/** Many inserts, in transactions that a log holds. */
export class Filler {
  private readonly database: Database
  private rows = 0

  constructor(database: Database) {
    this.database = database
    database.raw.exec('BEGIN')
  }

  run(sql: string, ...values: (string | number | bigint | null | Uint8Array)[]): void {
    this.database.statement(sql).run(...values)
    this.rows += 1
    if (this.rows % PER_TRANSACTION === 0) this.database.raw.exec('COMMIT; BEGIN')
  }

  done(): void {
    this.database.raw.exec('COMMIT')
  }
}
