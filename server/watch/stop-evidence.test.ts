import { expect, test } from 'vitest'
import type { StandingSwitch } from '../../lib/election/scopes.ts'
import { endedUnder } from './stop-evidence.ts'

const stop: StandingSwitch = {
  scope: '/e/',
  scopeBase64: 'L2Uv',
  state: 'engaged',
  match: 'prefix',
  record: {
    reason: 'bad data',
    by: 'Ann',
    at: '2026-03-12T03:00:00.000Z',
    until: '2026-03-12T04:00:00.000Z',
    nonce: 'n1',
    mode: 'cooperative',
    log: [],
  },
}
const resigned = { cause: 'resigned or removed', evidence: 'its lease is alive' } as const
const lost = { cause: 'lease lost', evidence: 'its lease is gone' } as const

test('who leaves its seat while a stop holds it leaves because of the stop', () => {
  expect(endedUnder(stop, resigned)).toEqual({
    cause: 'kill switch',
    by: 'Ann',
    evidence: 'its lease is alive; kill switch engaged by Ann at 03:00:00 UTC',
  })
  expect(endedUnder({ ...stop, state: 'unreadable', record: null }, resigned)).toMatchObject({ cause: 'kill switch' })
})

test('what else ends a term then keeps its cause, and is nobody’s failover (RC-19)', () => {
  expect(endedUnder(stop, lost)).toEqual({ ...lost, duringStop: true })
})

test('without a stop nothing is added', () => {
  expect([endedUnder(null, resigned), endedUnder(null, lost)]).toEqual([resigned, lost])
})
