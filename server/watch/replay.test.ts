import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeTempFolder } from '../../e2e/harness/temp-folder.ts'
import { GOLDEN } from './record-run-for-test.ts'
import { readLog, replay } from './replay-for-test.ts'

const folder = makeTempFolder('replay')
afterAll(() => folder.remove())

const golden = (name: string) => readFileSync(join(GOLDEN, name), 'utf8')

// A change of the reducer or of the store that would rewrite what happened must be meant: then the golden
// history changes with it, and so does what the next release says of the past.
test('a recorded run makes the same history, byte for byte', async () => {
  const made = await replay(readLog(golden('run.jsonl')), join(folder.path, 'history.sqlite'))
  expect(made).toBe(golden('run.history.jsonl'))
})

test('the recorded run has all that a run can have', () => {
  const log = readLog(golden('run.jsonl'))
  const changes = log.flatMap((entry) =>
    entry.type === 'changes' ? entry.changes.map(({ change }) => change.type) : [],
  )
  expect(new Set(changes)).toEqual(new Set(['opened', 'revision', 'relisted', 'rolled-back', 'lease', 'cause']))
  expect(new Set(log.map(({ type }) => type))).toEqual(new Set(['started', 'changes', 'gap', 'stops', 'alive']))
  expect(log.filter(({ type }) => type === 'started')).toHaveLength(2)
})
