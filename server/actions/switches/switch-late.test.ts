import { expect, test } from 'vitest'
import type { Outcome } from '../../../lib/election/actions.ts'
import type { SwitchStep } from '../../../lib/election/scopes.ts'
import { FakeAudit } from '../../history/fake-audit.ts'
import { Operations } from '../operations.ts'
import { Recorder } from '../recorder.ts'
import { operationOf } from '../undertaking.ts'
import { BEN } from './act-for-test.ts'
import { correct } from './switch-late.ts'

const at = '2026-03-12T03:00:00.000Z'
const step: SwitchStep = { at, by: 'Ben', operation: 'op-1', what: 'engaged', reason: 'bad data', until: at }
const about = {
  operation: 'op-1',
  verb: 'engage',
  subject: { cluster: 'test' },
  reason: 'bad data',
  asked: {},
} as const

function told(is: Outcome['is']) {
  const audit = new FakeAudit()
  const clock = { nowMs: () => 0, monoMs: () => 0 }
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const operations = new Operations()
  const outcome = { is, words: '', revision: null }
  audit.add({ ...about, actor: BEN.actor, kind: 'intent', seen: {} })
  audit.add({ ...about, actor: BEN.actor, kind: 'outcome', seen: null, outcome })
  operations.begin({ ...operationOf(BEN, about, at), outcome })
  const recorder = new Recorder({ audit, clock, log, signal: new AbortController().signal })
  const notes = () => audit.entries.filter(({ kind }) => kind === 'note').length
  return { parts: { audit, operations, recorder }, notes, warnings: () => operations.get('op-1')?.warnings }
}

test('one that was told as failed is corrected by a note and a warning, once', () => {
  const { parts, notes, warnings } = told('failed')
  expect([correct(parts, step), correct(parts, step), notes()]).toEqual([true, true, 1])
  expect(warnings()).toEqual(['It was engaged after all at Thu 12 Mar 03:00 UTC: the record in etcd shows it.'])
})

test('one whose outcome is open is left to be found out', () => {
  const { parts, notes } = told('unknown')
  expect([correct(parts, step), notes()]).toEqual([false, 0])
})

test.each<[string, Outcome['is'], Partial<SwitchStep>]>([
  ['one that was told as done', 'verified', {}],
  ['the step of something else', 'failed', { what: 'released' }],
  ['an operation that is not known here', 'failed', { operation: 'op-2' }],
])('%s needs no correction', (_name, is, over) => {
  const { parts, notes, warnings } = told(is)
  expect([correct(parts, { ...step, ...over }), notes(), warnings()]).toEqual([true, 0, []])
})
