import { join } from 'node:path'
import { expect, it } from 'vitest'
import { rootDir } from '../setup/paths.mjs'
import { playwrightFailures, vitestFailures } from './failures.ts'

it('names the failed tests of Vitest, and a file that could not be read', () => {
  const report = {
    testResults: [
      {
        name: join(rootDir, 'lib/a.test.ts'),
        assertionResults: [
          { fullName: 'a works', status: 'passed', failureMessages: [] },
          { fullName: 'a is never two', status: 'failed', failureMessages: ['\u001b[31mexpected 2\u001b[0m\nto be 1'] },
        ],
      },
      { name: join(rootDir, 'lib/b.test.ts'), message: 'no such module', assertionResults: [] },
    ],
  }
  expect(vitestFailures(report)).toEqual([
    { file: 'lib/a.test.ts', title: 'a is never two', message: 'expected 2\nto be 1' },
    { file: 'lib/b.test.ts', title: '', message: 'no such module' },
  ])
})

it('names the failed tests of Playwright at any depth', () => {
  const failed = {
    title: 'stops',
    file: 'stop.spec.ts',
    line: 9,
    ok: false,
    tests: [{ results: [{ error: { message: 'late' } }] }],
  }
  const report = { suites: [{ specs: [{ ...failed, ok: true }], suites: [{ specs: [failed] }] }] }
  expect(playwrightFailures(report)).toEqual([{ file: 'e2e/specs/stop.spec.ts:9', title: 'stops', message: 'late' }])
})

it('keeps a long message to its beginning', () => {
  const message = Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n')
  const [failure] = vitestFailures({
    testResults: [
      {
        name: join(rootDir, 'c.test.ts'),
        assertionResults: [{ fullName: 'c', status: 'failed', failureMessages: [message] }],
      },
    ],
  })
  expect(failure?.message.split('\n')).toHaveLength(12)
})
