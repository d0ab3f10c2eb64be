import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabase } from './database.ts'
import { PAST_SQL } from './past-rows.ts'

// A month of candidacies, and terms for ever: neither may be walked to know one moment.
it.each([
  ['queuedThen', 'candidacies_over (to_ms>?'],
  ['queuedStill', 'candidacies_open (election_id>? AND election_id<?)'],
  ['endedLast', 'terms_end (election_id=? AND to_ms<?)'],
  ['endedNext', 'terms_end (election_id=? AND to_ms>?)'],
  ['open', 'terms_open (election_id>? AND election_id<?)'],
  ['endedLately', 'terms_end (election_id=? AND to_ms>? AND to_ms<?)'],
  ['failovers', 'terms_end (election_id=? AND to_ms>? AND to_ms<?)'],
  ['gaps', 'gaps_end (cluster_id=? AND to_ms>?)'],
] as const)('%s is sought by its index', async (which, index) => {
  const dir = mkdtempSync(join(tmpdir(), 'tenure-plans-'))
  const database = await openDatabase(join(dir, 'tenure.db'))
  const plan = database.raw.prepare(`EXPLAIN QUERY PLAN ${PAST_SQL[which]}`).all()
  const steps = plan.map((row) => String(row.detail))
  expect(steps.join('\n')).toContain(index)
  expect(steps.filter((step) => /^SCAN (t|terms|candidacies|gaps)\b/.test(step))).toEqual([])
  await database.close()
  rmSync(dir, { recursive: true })
})
