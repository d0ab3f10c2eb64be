import { type Kysely, sql } from 'kysely'

/**
 * One narrow row for each term that ended, by time within a cluster: what can be said over all elections without
 * reading their terms. It holds nothing that `terms` does not.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('transitions')
    .addColumn('cluster_id', 'integer', (column) => column.notNull())
    .addColumn('at_ms', 'integer', (column) => column.notNull())
    .addColumn('election_id', 'integer', (column) => column.notNull())
    .addColumn('epoch', 'integer', (column) => column.notNull())
    .addColumn('token', 'integer', (column) => column.notNull())
    .addColumn('cause', 'text', (column) => column.notNull())
    .addColumn('during_stop', 'integer')
    .addColumn('silent_ms', 'integer')
    .addColumn('refill_ms', 'integer')
    .addColumn('next_ms', 'integer')
    .addColumn('gap_ms', 'integer')
    .addColumn('takeover_ms', 'integer')
    .addPrimaryKeyConstraint('transitions_at', ['cluster_id', 'at_ms', 'election_id', 'epoch', 'token'])
    .modifyEnd(sql`without rowid`)
    .execute()
  await sql`
    insert into transitions
    select cluster_id, to_ms, election_id, epoch, token, coalesce(cause, 'unobserved'), during_stop, silent_ms, null,
      next_ms, next_gap_ms, next_takeover_ms
    from (
      select elections.cluster_id, terms.*,
        lead(from_ms) over after_it as next_ms,
        lead(gap_ms) over after_it as next_gap_ms,
        lead(takeover_ms) over after_it as next_takeover_ms
      from terms join elections on elections.id = terms.election_id
      window after_it as (partition by election_id order by epoch, token)
    ) where to_ms is not null`.execute(db)
  await db.schema
    .createIndex('transitions_term')
    .unique()
    .on('transitions')
    .columns(['election_id', 'epoch', 'token'])
    .execute()
}
