import { type Kysely, sql } from 'kysely'

/**
 * Sketches became smaller before the first release. Rows of earlier builds would be read as other numbers
 * than they hold, and a missing bucket is better than a wrong one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from rolled where sketch is not null`.execute(db)
}
