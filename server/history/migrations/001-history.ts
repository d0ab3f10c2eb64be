import { type Kysely, sql } from 'kysely'

const WITHOUT_ROWID = sql`without rowid`

export async function up(db: Kysely<unknown>): Promise<void> {
  await clustersAndElections(db)
  await termsEventsAndGaps(db)
  await samplesAndTiers(db)
}

async function clustersAndElections(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('clusters')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('epoch', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('high_revision', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('alive_ms', 'integer')
    .execute()
  await db.schema
    .createTable('elections')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('cluster_id', 'integer', (column) => column.notNull())
    .addColumn('ref', 'text', (column) => column.notNull())
    .addColumn('layout', 'text', (column) => column.notNull())
    .addColumn('prefix', 'text', (column) => column.notNull())
    .addColumn('prefix_base64', 'text', (column) => column.notNull())
    .addColumn('found_by', 'text', (column) => column.notNull())
    .addColumn('confirmed', 'integer', (column) => column.notNull())
    .addColumn('active_ms', 'integer', (column) => column.notNull())
    .addUniqueConstraint('elections_ref', ['cluster_id', 'ref'])
    .execute()
  await db.schema.createIndex('elections_active').on('elections').columns(['cluster_id', 'active_ms']).execute()
}

async function termsEventsAndGaps(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('terms')
    .addColumn('election_id', 'integer', (column) => column.notNull())
    .addColumn('epoch', 'integer', (column) => column.notNull())
    .addColumn('token', 'integer', (column) => column.notNull())
    .addColumn('ordinal', 'integer', (column) => column.notNull())
    .addColumn('identity', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('key_base64', 'text', (column) => column.notNull())
    .addColumn('lease', 'text')
    .addColumn('from_ms', 'integer', (column) => column.notNull())
    .addColumn('from_at_least', 'integer', (column) => column.notNull())
    .addColumn('to_ms', 'integer')
    .addColumn('gap_ms', 'integer')
    .addColumn('takeover_ms', 'integer')
    .addColumn('silent_ms', 'integer')
    .addColumn('cause', 'text')
    .addColumn('ended_by', 'text')
    .addColumn('evidence', 'text')
    .addPrimaryKeyConstraint('terms_token', ['election_id', 'epoch', 'token'])
    .modifyEnd(WITHOUT_ROWID)
    .execute()
  await db.schema.createIndex('terms_end').on('terms').columns(['election_id', 'to_ms']).execute()
  await sql`create index terms_open on terms (election_id) where to_ms is null`.execute(db)
  await db.schema
    .createTable('events')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('election_id', 'integer', (column) => column.notNull())
    .addColumn('at_ms', 'integer', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('events_at').on('events').columns(['election_id', 'at_ms', 'id']).execute()
  await db.schema
    .createTable('gaps')
    .addColumn('cluster_id', 'integer', (column) => column.notNull())
    .addColumn('election_id', 'integer', (column) => column.notNull())
    .addColumn('from_ms', 'integer', (column) => column.notNull())
    .addColumn('to_ms', 'integer', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('gaps_from', ['cluster_id', 'election_id', 'from_ms'])
    .modifyEnd(WITHOUT_ROWID)
    .execute()
  await db.schema.createIndex('gaps_end').on('gaps').columns(['cluster_id', 'to_ms']).execute()
}

async function samplesAndTiers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('series')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('cluster_id', 'integer', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('ref', 'text', (column) => column.notNull())
    .addColumn('member', 'text', (column) => column.notNull())
    .addColumn('identity', 'text', (column) => column.notNull())
    .addColumn('last_ms', 'integer', (column) => column.notNull())
    .addUniqueConstraint('series_key', ['cluster_id', 'ref', 'source', 'member', 'identity'])
    .execute()
  // Blocks come first in these keys: new rows touch few pages, and old ones go in one sweep.
  await db.schema
    .createTable('samples')
    .addColumn('block', 'integer', (column) => column.notNull())
    .addColumn('series_id', 'integer', (column) => column.notNull())
    .addColumn('at_ms', 'integer', (column) => column.notNull())
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('value', 'real', (column) => column.notNull())
    .addPrimaryKeyConstraint('samples_at', ['block', 'series_id', 'at_ms', 'seq'])
    .modifyEnd(WITHOUT_ROWID)
    .execute()
  await db.schema
    .createTable('rolled')
    .addColumn('tier', 'integer', (column) => column.notNull())
    .addColumn('block', 'integer', (column) => column.notNull())
    .addColumn('series_id', 'integer', (column) => column.notNull())
    .addColumn('from_ms', 'integer', (column) => column.notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addColumn('min', 'real', (column) => column.notNull())
    .addColumn('max', 'real', (column) => column.notNull())
    .addColumn('sketch', 'blob')
    .addPrimaryKeyConstraint('rolled_from', ['tier', 'block', 'series_id', 'from_ms'])
    .modifyEnd(WITHOUT_ROWID)
    .execute()
  await db.schema
    .createTable('rollup_marks')
    .addColumn('tier', 'integer', (column) => column.primaryKey())
    .addColumn('upto_ms', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('rollup_late')
    .addColumn('tier', 'integer', (column) => column.notNull())
    .addColumn('series_id', 'integer', (column) => column.notNull())
    .addColumn('from_ms', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('rollup_late_row', ['tier', 'from_ms', 'series_id'])
    .modifyEnd(WITHOUT_ROWID)
    .execute()
}
