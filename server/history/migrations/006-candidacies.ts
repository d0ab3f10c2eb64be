import { type Kysely, sql } from 'kysely'

/** Who stood in which queue when; since when that is kept; and indexes that lead to a moment of the past. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('candidacies')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('election_id', 'integer', (column) => column.notNull())
    .addColumn('epoch', 'integer', (column) => column.notNull())
    .addColumn('create_revision', 'integer', (column) => column.notNull())
    .addColumn('mod_revision', 'integer', (column) => column.notNull())
    .addColumn('key_base64', 'text', (column) => column.notNull())
    .addColumn('identity', 'text', (column) => column.notNull())
    .addColumn('value_bytes', 'integer', (column) => column.notNull())
    .addColumn('lease', 'text')
    .addColumn('nested', 'integer', (column) => column.notNull())
    .addColumn('held', 'text')
    .addColumn('since_ms', 'integer', (column) => column.notNull())
    .addColumn('since_at_least', 'integer', (column) => column.notNull())
    .addColumn('from_ms', 'integer', (column) => column.notNull())
    .addColumn('to_ms', 'integer')
    .execute()
  await sql`create index candidacies_open on candidacies (election_id, key_base64) where to_ms is null`.execute(db)
  await sql`create index candidacies_over on candidacies (to_ms, from_ms) where to_ms is not null`.execute(db)
  await db.schema.alterTable('clusters').addColumn('kept_ms', 'integer').execute()
  await db.schema.createIndex('events_moment').on('events').columns(['at_ms', 'type', 'election_id']).execute()
}
