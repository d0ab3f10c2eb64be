import type { Kysely } from 'kysely'

/** What people say about terms: every version of a note, and acknowledgements. Never deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('annotations')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('election_id', 'integer', (column) => column.notNull())
    .addColumn('epoch', 'integer', (column) => column.notNull())
    .addColumn('token', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('at_ms', 'integer', (column) => column.notNull())
    .addColumn('by', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('annotations_of').on('annotations').columns(['election_id', 'epoch', 'token']).execute()
}
