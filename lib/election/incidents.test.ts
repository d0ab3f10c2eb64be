import { expect, test } from 'vitest'
import { instant } from '../shared/clock.ts'
import { incidentsOf } from './incidents.ts'
import type { ElectionRef, ElectionState, LeaseId, Term } from './types.ts'

const T0 = Date.parse('2026-03-12T02:31:20Z')

/** An election whose leader's term ended `afterMs` later, by `cause`, on `lease`. */
function lost(
  name: string,
  afterMs: number,
  lease: string,
  cause: 'lease lost' | 'resigned or removed' = 'lease lost',
) {
  const term = {
    to: instant(T0 + afterMs),
    endedBy: { cause, evidence: 'test' },
    leader: { identity: 'w', key: '', keyBase64: '', lease: lease as LeaseId },
  } as Term
  return { ref: name as ElectionRef, ended: [term] } as unknown as ElectionState
}

test('one lease that carried several elections is one incident, and not de-duplicated across them', () => {
  const incidents = incidentsOf([lost('a', 0, 'L'), lost('b', 0, 'L'), lost('c', 0, 'L'), lost('d', 10_000, 'M')])
  expect(incidents).toEqual([
    { kind: 'lease', from: instant(T0), to: instant(T0), leases: ['L'], elections: ['a', 'b', 'c'] },
  ])
})

test('forty leases within 200 ms are one mass event', () => {
  const incidents = incidentsOf(Array.from({ length: 40 }, (_, n) => lost(`e${n}`, n * 5, `L${n}`)))
  expect(incidents).toHaveLength(1)
  expect(incidents[0]).toMatchObject({ kind: 'mass', from: instant(T0), to: instant(T0 + 195) })
  expect(incidents[0]?.elections).toHaveLength(40)
})

test('handoffs are no incident, and losses further apart than three seconds are not one', () => {
  const planned = Array.from({ length: 10 }, (_, n) => lost(`p${n}`, 0, `P${n}`, 'resigned or removed'))
  const slow = Array.from({ length: 10 }, (_, n) => lost(`s${n}`, n * 4_000, `S${n}`))
  expect(incidentsOf([...planned, ...slow])).toEqual([])
})

test('newest first', () => {
  const early = [lost('a', 0, 'L'), lost('b', 0, 'L')]
  const late = [lost('c', 60_000, 'M'), lost('d', 60_000, 'M')]
  expect(incidentsOf([...early, ...late]).map(({ leases }) => leases[0])).toEqual(['M', 'L'])
})
