import { expect, test } from 'vitest'
import type { Incident } from '../../lib/election/incidents.ts'
import type { ElectionRef, LeaseId } from '../../lib/election/types.ts'
import { incidentWords } from './incident-words.ts'

const refs = (n: number) => Array.from({ length: n }, (_, at) => `q~${at}` as ElectionRef)
const leases = (n: number) => Array.from({ length: n }, (_, at) => `${at}` as LeaseId)
const base = { from: '2026-03-12T02:31:20.000Z', to: '2026-03-12T02:31:22.000Z' }

test.each<[Incident, string]>([
  [
    { ...base, kind: 'mass', elections: refs(14), leases: leases(14) },
    '02:31:20 UTC: 14 elections lost their leader within 2.0 s, on 14 leases',
  ],
  [
    { ...base, to: base.from, kind: 'lease', elections: refs(3), leases: leases(1) },
    '02:31:20 UTC: 3 elections lost their leader with one lease',
  ],
  [
    { ...base, to: base.from, kind: 'mass', elections: refs(5), leases: leases(2) },
    '02:31:20 UTC: 5 elections lost their leader within 0.1 s, on 2 leases',
  ],
])('%#', (incident, words) => {
  expect(incidentWords(incident, null)).toBe(words)
})

test('an etcd raft leader change before it is told with it', () => {
  const incident: Incident = { ...base, kind: 'mass', elections: refs(14), leases: leases(14) }
  const well = { raftChange: null, noQuorum: false, slow: [], alarms: [] }
  const raftChange = { from: base.from, to: base.from, before: 'etcd-1', after: 'etcd-2', beforeMs: 1_400 }
  expect(incidentWords(incident, { ...well, raftChange })).toMatch(
    /14 elections lost their leader within 2.0 s, etcd raft leader changed 1 s before$/,
  )
  expect(incidentWords(incident, well)).toMatch(/, on 14 leases$/)
})
