import type { Kysely } from 'kysely'

/** JSON of `ClusterMemory`: what a restart must not forget of a cluster. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('clusters').addColumn('memory', 'text').execute()
}
