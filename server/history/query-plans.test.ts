import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabase } from './database.ts'
import { CLOSE_OLDER } from './records.ts'
import { KNOWN } from './seeds.ts'
import { LED, PAGE, SLICE } from './transitions.ts'
import { PUT } from './write-transitions.ts'

// Terms are kept for ever: what runs at every start or at every term must not walk them all.
it.each([
  ['closing older terms', CLOSE_OLDER],
  ['finding open terms at a start', KNOWN],
])('%s reads the open terms only', async (_, sql) => {
  const dir = mkdtempSync(join(tmpdir(), 'tenure-plans-'))
  const database = await openDatabase(join(dir, 'tenure.db'))
  const plan = database.raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
  const steps = plan.map((row) => String(row.detail)).filter((detail) => detail.includes(' terms '))
  expect(steps).toHaveLength(1)
  expect(steps[0]).toContain('terms_open')
  await database.close()
  rmSync(dir, { recursive: true })
})

it.each([
  ['following a term', PUT],
  ['changes of leader of a range', SLICE],
  ['a page of them', PAGE],
  ['elections that were led', LED],
])('%s searches by keys, and sorts nothing but the elections', async (_, sql) => {
  const dir = mkdtempSync(join(tmpdir(), 'tenure-plans-'))
  const database = await openDatabase(join(dir, 'tenure.db'))
  const plan = database.raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
  const steps = plan.map((row) => String(row.detail)).filter((detail) => !detail.includes('json_each'))
  const ofTerms = steps.filter((step) => / (terms|next|after|transitions) /.test(step))
  expect(ofTerms.length).toBeGreaterThan(0)
  for (const step of ofTerms) {
    expect(step).toMatch(/\(cluster_id=\? AND at_ms|token[=>)]|to_ms>\?|terms_open/)
  }
  if (sql !== LED) expect(steps.join()).not.toContain('TEMP B-TREE')
  await database.close()
  rmSync(dir, { recursive: true })
})
