/** Deletes what is older than its tier keeps it, a little at a time, and never what is not yet rolled up. */
import type { Database } from './database.ts'
import type { Rollup } from './rollup.ts'
import { blockOf, RAW, RETENTION_SLACK_MS, ROLLED, type Tier } from './tiers.ts'

const DAY_MS = 24 * 3_600_000
const EVENTS_KEEP_MS = 30 * DAY_MS
const CONDITIONS_KEEP_MS = 31 * DAY_MS
const SERIES_KEEP_MS = 31 * DAY_MS
/** Queues of the past, as long as events and a day. */
export const QUEUES_KEEP_MS = 31 * DAY_MS
const ROWS_PER_STEP = 1_000

const OLD_SAMPLES = `
  DELETE FROM samples WHERE (block, series_id, offset_ms, seq) IN
    (SELECT block, series_id, offset_ms, seq FROM samples WHERE block < ? LIMIT ${ROWS_PER_STEP})`
const OLD_ROLLED = `
  DELETE FROM rolled WHERE (tier, block, series_id, slot) IN
    (SELECT tier, block, series_id, slot FROM rolled WHERE tier = ? AND block < ? LIMIT ${ROWS_PER_STEP})`
// What still lasts is never old.
const OLD_CONDITIONS = `
  DELETE FROM conditions WHERE rowid IN (SELECT rowid FROM conditions WHERE to_ms < ? LIMIT ${ROWS_PER_STEP})`
// Ids rise with time, so that no index is needed.
const OLD_EVENTS = `
  DELETE FROM events WHERE id IN (SELECT id FROM events ORDER BY id LIMIT ${ROWS_PER_STEP}) AND at_ms < ?`
const OLD_CANDIDACIES = `
  DELETE FROM candidacies WHERE id IN
    (SELECT id FROM candidacies INDEXED BY candidacies_over WHERE to_ms < ? LIMIT ${ROWS_PER_STEP})`
const OLD_SERIES = `
  DELETE FROM series WHERE id IN (SELECT id FROM series WHERE last_ms < ? LIMIT ${ROWS_PER_STEP})`

/** One short transaction each; true when one of them was full, so that more may be due. */
export function retentionStep(database: Database, rollup: Rollup, nowMs: number): boolean {
  const samples = database.statement(OLD_SAMPLES).run(blockBefore(RAW, rollup, nowMs))
  if (isFull(samples.changes)) return true
  for (const tier of ROLLED) {
    const rolled = database.statement(OLD_ROLLED).run(tier.index, blockBefore(tier, rollup, nowMs))
    if (isFull(rolled.changes)) return true
  }
  const events = database.statement(OLD_EVENTS).run(nowMs - EVENTS_KEEP_MS)
  if (isFull(events.changes)) return true
  if (isFull(database.statement(OLD_CANDIDACIES).run(nowMs - QUEUES_KEEP_MS).changes)) return true
  const conditions = database.statement(OLD_CONDITIONS).run(nowMs - CONDITIONS_KEEP_MS)
  if (isFull(conditions.changes)) return true
  return isFull(database.statement(OLD_SERIES).run(nowMs - SERIES_KEEP_MS).changes)
}

const isFull = (changes: number | bigint) => Number(changes) === ROWS_PER_STEP

function blockBefore(tier: Tier, rollup: Rollup, nowMs: number): number {
  const oldMs = nowMs - tier.keepMs - RETENTION_SLACK_MS
  const isLast = tier.index === ROLLED.length
  return blockOf(tier, isLast ? oldMs : Math.min(oldMs, rollup.uptoMs(tier.index + 1)))
}
