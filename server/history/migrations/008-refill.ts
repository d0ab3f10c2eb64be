import type { Kysely } from 'kysely'

/** What an etcd raft leader change put the end of a term off by; null where nothing was known of that. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('terms').addColumn('refill_ms', 'integer').execute()
}
