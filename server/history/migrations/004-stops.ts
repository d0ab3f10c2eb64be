import type { Kysely } from 'kysely'

/** Times in which kill switches held. A scope can be stopped again: each engaging has a nonce of its own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('stops')
    .addColumn('cluster_id', 'integer', (column) => column.notNull())
    .addColumn('scope_base64', 'text', (column) => column.notNull())
    .addColumn('nonce', 'text', (column) => column.notNull())
    .addColumn('from_ms', 'integer', (column) => column.notNull())
    .addColumn('to_ms', 'integer')
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('stops_of', ['cluster_id', 'scope_base64', 'nonce', 'from_ms'])
    .execute()
  await db.schema.createIndex('stops_at').on('stops').columns(['cluster_id', 'from_ms']).execute()
}
