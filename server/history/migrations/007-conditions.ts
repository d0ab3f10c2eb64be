import type { Kysely } from 'kysely'

/** What etcd itself was like: who was etcd raft leader, and what was wrong. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('conditions')
    .addColumn('cluster_id', 'integer', (column) => column.notNull())
    .addColumn('from_ms', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('to_ms', 'integer')
    .addColumn('words', 'text')
    .addColumn('raft_term', 'text')
    .addPrimaryKeyConstraint('conditions_of', ['cluster_id', 'from_ms', 'kind', 'subject'])
    .execute()
  await db.schema.createIndex('conditions_end').on('conditions').columns(['to_ms']).execute()
}
