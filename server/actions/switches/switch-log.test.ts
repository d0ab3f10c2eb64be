import { afterEach, beforeEach, expect, test } from 'vitest'
import { engaged } from '../../../lib/election/switch-changes.ts'
import { base64FromLatin1, fromLatin1, utf8 } from '../../../lib/shared/bytes.ts'
import { instant, systemClock } from '../../../lib/shared/clock.ts'
import type { AuditDraft } from '../../history/audit.ts'
import { draft, outcome, refusal } from '../../history/audit-fixtures.ts'
import { FakeAudit } from '../../history/fake-audit.ts'
import { Operations } from '../operations.ts'
import type { ActionParts } from '../parts.ts'
import type { Reach } from '../reach.ts'
import { Recorder } from '../recorder.ts'
import { completeLog } from './switch-log.ts'

const SCOPE = '/e/job/'
const warned: object[] = []
const log = { info: () => {}, warn: (fields: object) => warned.push(fields), error: () => {} }

let audit: FakeAudit
let stopping: AbortController
let missing: string[]
let parts: ActionParts
beforeEach(() => {
  audit = new FakeAudit()
  missing = []
  stopping = new AbortController()
  const { signal } = stopping
  const recorder = new Recorder({ audit, clock: systemClock, log, signal })
  warned.length = 0
  parts = { operations: new Operations(), audit, recorder, log, signal } as unknown as ActionParts
})
afterEach(() => stopping.abort())

/** An etcd that has this record of the scope, or none. */
function reach(operation: string | null): Reach {
  const at = instant(0)
  const doing = { at, by: 'Ben', operation: operation ?? '', reason: 'bad data' }
  const record = engaged(null, doing, { until: at, mode: 'cooperative', match: 'exact', nonce: 'n' })
  const kv = { key: fromLatin1(`/tenure/switch/${SCOPE}`), value: utf8(JSON.stringify(record)) }
  const kvs = operation === null ? [] : [kv]
  return {
    name: 'eu',
    metaPrefix: '/tenure/',
    etcd: { range: async () => ({ kvs }) },
    switchMissing: (scope: string, by: string) => missing.push(`${scope} ${by}`),
  } as unknown as Reach
}

const subject = { cluster: 'eu', scopeBase64: base64FromLatin1(SCOPE) }
const did = (verb: string, more: Partial<AuditDraft> = {}) =>
  audit.add(outcome('verified', { verb, subject, asked: {}, ...more }))

test('a record that is gone is told, however much came later', async () => {
  did('release')
  did('engage')
  const others = { ...subject, scopeBase64: base64FromLatin1('/e/other/') }
  for (let n = 0; n < 1_100; n += 1) audit.add(outcome('failed', { subject: { cluster: 'eu', ref: 'q~x' } }))
  for (let n = 0; n < 1_100; n += 1) did('release', { subject: others })
  await completeLog(parts, reach(null))
  expect(missing).toEqual([`${subject.scopeBase64} Anna`])
})

test('what keeps it from being completed is told once, and it is tried again', async () => {
  did('engage')
  const answering = reach(null)
  let tries = 0
  const range = async () => {
    tries += 1
    if (tries < 3) throw new Error('etcd is away')
    return { kvs: [] }
  }
  await completeLog(parts, { ...answering, etcd: { range } } as unknown as Reach)
  expect([tries, warned, missing.length]).toEqual([3, [{ cluster: 'eu', reason: 'Error: etcd is away' }], 1])
})

test.each(['release', 'confirmRelease', 'arm'])('a record that is gone after %s is no matter', async (verb) => {
  did('engage')
  did(verb)
  did('release', { subject: { cluster: 'other', scopeBase64: subject.scopeBase64 } })
  await completeLog(parts, reach(null))
  expect(missing).toEqual([])
})

test('an operation that the log knows only as refused, or by what it held, is completed, and only once', async () => {
  const operation = 'op-of-the-stop'
  audit.add(refusal({ operation, verb: 'engage' }))
  audit.add(draft({ kind: 'note', operation, verb: 'engage', subject: { cluster: 'eu', ref: 'q~x' } }))
  const told = () => audit.entries.filter(({ kind, subject: of }) => kind === 'note' && of.scopeBase64 !== undefined)
  await completeLog(parts, reach(operation))
  expect(told()).toMatchObject([{ operation, verb: 'engage', actor: { name: 'Ben' }, reason: 'bad data' }])
  await completeLog(parts, reach(operation))
  expect(told()).toHaveLength(1)
})

test('an operation that the log knows is left alone, also while it waits to be stored', async () => {
  audit.add(draft({ operation: 'op-known-1', verb: 'engage' }))
  await completeLog(parts, reach('op-known-1'))
  expect(audit.entries).toHaveLength(1)
  audit.refuse = 'disk full'
  parts.recorder.keep(draft({ operation: 'op-known-2', verb: 'engage' }))
  await completeLog(parts, reach('op-known-2'))
  expect(parts.recorder.behind).toBe(1)
})
