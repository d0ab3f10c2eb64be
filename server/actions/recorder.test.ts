import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../lib/shared/clock.ts'
import { AuditUnavailable } from '../history/audit.ts'
import { draft, outcome, refusal } from '../history/audit-fixtures.ts'
import { FakeAudit } from '../history/fake-audit.ts'
import { Recorder } from './recorder.ts'

let audit: FakeAudit
let recorder: Recorder
let logged: string[]
let stopping: AbortController
beforeEach(() => {
  audit = new FakeAudit()
  logged = []
  stopping = new AbortController()
  const write = (_: object, message: string) => void logged.push(message)
  const log = { info: write, warn: write, error: write }
  recorder = new Recorder({ audit, clock: systemClock, log, signal: stopping.signal })
})
afterEach(() => stopping.abort())

test('what has happened is stored in order as soon as it can be, and nothing is meant before that', async () => {
  audit.refuse = 'the disk is full'
  recorder.keep(outcome('unknown'))
  recorder.keep(outcome('verified'))
  audit.refuse = null
  expect(() => recorder.store(draft({ operation: 'b' }))).toThrow(AuditUnavailable)
  await expect.poll(() => recorder.behind, { timeout: 4_000 }).toBe(0)
  expect(audit.entries.map((entry) => entry.outcome?.is)).toEqual(['unknown', 'verified'])
  expect(recorder.store(draft({ operation: 'b' })).number).toBe(3)
})

test('a refusal that cannot be stored is logged and let go', () => {
  audit.refuse = 'the disk is full'
  recorder.refusal(refusal())
  expect(recorder.behind).toBe(0)
  expect(logged).toEqual(['a refusal could not be stored in the audit log'])
})

test('sign-ins while the disk is full fill no memory; outcomes always wait', () => {
  audit.refuse = 'the disk is full'
  for (let n = 0; n < 10_050; n += 1) recorder.keep(draft({ kind: 'done', verb: 'signIn' }))
  expect(recorder.behind).toBe(10_000)
  recorder.keep(outcome('verified'))
  expect(recorder.behind).toBe(10_001)
})
