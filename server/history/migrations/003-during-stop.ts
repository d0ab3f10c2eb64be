import type { Kysely } from 'kysely'

/** 1 where a term ended while a kill switch was engaged for its election. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('terms').addColumn('during_stop', 'integer').execute()
}
