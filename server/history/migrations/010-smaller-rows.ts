import { type Kysely, sql } from 'kysely'

/**
 * A month of samples is to fit a gigabyte: values become whole thousandths, times count from their block.
 * Sketches of builds before the first release are dropped: they would be read as other numbers than they hold.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table samples rename to samples_before`.execute(db)
  await sql`alter table rolled rename to rolled_before`.execute(db)
  await makeTables(db)
  await sql`
    insert into samples (block, series_id, offset_ms, seq, value)
    select block, series_id, at_ms - block * 10000, seq, cast(round(value * 1000) as integer)
    from samples_before`.execute(db)
  for (const [tier, widthMs, perBlock] of [
    [1, 10_000, 6],
    [2, 60_000, 10],
    [3, 600_000, 36],
  ] as const) {
    await sql`
      insert into rolled (tier, block, series_id, slot, count, min, max, sketch)
      select tier, block, series_id, from_ms / ${widthMs} - block * ${perBlock}, count,
        cast(round(min * 1000) as integer), cast(round(max * 1000) as integer), null
      from rolled_before where tier = ${tier} and sketch is null`.execute(db)
  }
  await sql`drop table samples_before`.execute(db)
  await sql`drop table rolled_before`.execute(db)
}

const WITHOUT_ROWID = sql`without rowid`

async function makeTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('samples')
    .addColumn('block', 'integer', (column) => column.notNull())
    .addColumn('series_id', 'integer', (column) => column.notNull())
    .addColumn('offset_ms', 'integer', (column) => column.notNull())
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('value', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('samples_in', ['block', 'series_id', 'offset_ms', 'seq'])
    .modifyEnd(WITHOUT_ROWID)
    .execute()
  await db.schema
    .createTable('rolled')
    .addColumn('tier', 'integer', (column) => column.notNull())
    .addColumn('block', 'integer', (column) => column.notNull())
    .addColumn('series_id', 'integer', (column) => column.notNull())
    .addColumn('slot', 'integer', (column) => column.notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addColumn('min', 'integer', (column) => column.notNull())
    .addColumn('max', 'integer', (column) => column.notNull())
    .addColumn('sketch', 'blob')
    .addPrimaryKeyConstraint('rolled_in', ['tier', 'block', 'series_id', 'slot'])
    .modifyEnd(WITHOUT_ROWID)
    .execute()
}
