import { describe, expect, test } from 'vitest'
import type { StandingSwitch } from './scopes.ts'
import { followStops, type Stop, stops } from './stops.ts'

const AT = '2026-03-12T03:00:00.000Z'
const LATER = '2026-03-12T03:10:00.000Z'

function standing(
  state: StandingSwitch['state'],
  more: Partial<NonNullable<StandingSwitch['record']>> = {},
): StandingSwitch {
  const record = {
    reason: 'double payouts',
    by: 'ann',
    at: AT,
    until: LATER,
    nonce: 'n1',
    mode: 'cooperative' as const,
    log: [],
    ...more,
  }
  const scope = { scope: '/e/', scopeBase64: btoa('/e/'), match: 'prefix' as const }
  return { ...scope, state, record: state === 'unreadable' ? null : record }
}

const engaged: Stop = {
  scope: '/e/',
  scopeBase64: btoa('/e/'),
  match: 'prefix',
  nonce: 'n1',
  by: 'ann',
  reason: 'double payouts',
  from: AT,
  to: null,
  ended: null,
  endedBy: null,
}

describe('followStops', () => {
  test('a stop begins when its record says, not when it was read', () => {
    expect(followStops([], { at: LATER, switches: [standing('engaged')] })).toEqual({ open: [engaged], ended: [] })
  })

  test('a release ends it, and says who did', () => {
    const switches = [standing('released', { by: 'ben', at: '2026-03-12T03:05:00.000Z' })]
    const { open, ended } = followStops([engaged], { at: LATER, switches })
    expect(open).toEqual([])
    expect(ended).toMatchObject([{ by: 'ann', to: '2026-03-12T03:05:00.000Z', ended: 'released', endedBy: 'ben' }])
  })

  test('a record that says who released it keeps who engaged it', () => {
    const released = { at: '2026-03-12T03:05:00.000Z', by: 'ben', reason: 'fixed', operation: 'op-2' }
    const { ended } = followStops([engaged], { at: LATER, switches: [standing('released', { released })] })
    expect(ended).toMatchObject([{ by: 'ann', to: released.at, endedBy: 'ben' }])
  })

  test('a record that is gone was not released', () => {
    expect(followStops([engaged], { at: LATER, switches: [] }).ended).toMatchObject([
      { to: LATER, ended: 'vanished', endedBy: null },
    ])
  })

  test('another engaging is another stop', () => {
    const switches = [standing('engaged', { nonce: 'n2', at: LATER })]
    const { open, ended } = followStops([engaged], { at: LATER, switches })
    expect(open).toMatchObject([{ nonce: 'n2', from: LATER }])
    expect(ended).toMatchObject([{ nonce: 'n1', to: LATER }])
  })

  test('an author or reason that was overwritten since does not change who stopped it', () => {
    const switches = [standing('engaged', { by: 'mallory', reason: 'none' })]
    expect(followStops([engaged], { at: LATER, switches }).open).toEqual([engaged])
  })

  test('what cannot be read holds from when it was found', () => {
    expect(followStops([], { at: LATER, switches: [standing('unreadable')] }).open).toMatchObject([
      { from: LATER, nonce: '', by: '' },
    ])
  })
})

test('a stop is of the elections that its scope matches', () => {
  expect(stops(engaged, btoa('/e/job/'))).toBe(true)
  expect(stops(engaged, btoa('/elections/'))).toBe(false)
})
