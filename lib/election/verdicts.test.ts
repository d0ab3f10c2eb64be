import { describe, expect, test } from 'vitest'
import { at, CLUSTER, election, having, heard, leaseOf, said, shown } from './claims-for-test.ts'
import type { ElectionState } from './types.ts'
import { judgeClaims, newestOn, type Verdict } from './verdicts.ts'

const verdicts = (state: ElectionState, ms: number, cluster = CLUSTER) =>
  judgeClaims(state, cluster, at(ms)).map(({ claim, verdict }) => `${claim.instance} ${verdict}`)

describe('one instance beside etcd', () => {
  test.each<[Verdict, string, ElectionState]>([
    ['agrees', 'leads and says so', having(election(7, 9), heard(9_000, { token: 7 }))],
    ['agrees', 'waits and says so', having(election(7, 9), heard(9_000, { lease: leaseOf(9) }))],
    ['agrees', 'has not heard yet that it leads', having(election(7), heard(4_000, { lease: leaseOf(7) }))],
    ['unaware', 'leads and says that it waits', having(election(7), heard(9_000, { lease: leaseOf(7) }))],
    ['outdated', 'claimed before the end was seen', having(election(7), heard(9_000, { token: 7 }), shown(9_100, [7]))],
    ['outdated', 'claims what has not been seen yet', having(election(7), heard(9_000, { token: 9 }))],
    ['agrees', 'reports less often than its claim runs', having(election(7), heard(2_000, { token: 7 }))],
    ['lapsed', 'leads by etcd and fell silent', having(election(7), heard(-6_000, { token: 7 }))],
    ['lapsed', 'claimed until a while ago', having(election(7), heard(900, { token: 7 }), shown(1_000, [7]))],
    ['contradicts', 'claims after the end', having(election(7), shown(1_000, [7]), heard(7_000, { token: 7 }))],
  ])('%s: it %s', (verdict, _, state) => {
    expect(verdicts(state, 10_000)).toEqual([`a ${verdict}`])
  })

  test('a copy that fell silent does not agree, though its token leads', () => {
    const copy = heard(2_000, { instance: 'copy', token: 7 })
    const state = having(election(7), copy, heard(9_000, { token: 7 }))
    expect(verdicts(state, 10_000)).toEqual(['copy lapsed', 'a agrees'])
  })

  test('is unverified while etcd’s own word is not known', () => {
    const state = having(election(7), heard(9_000, { token: 7 }), heard(9_000, { instance: 'b', token: 7 }))
    expect(verdicts(state, 10_000, { ...CLUSTER, freshness: 'stale' })).toEqual(['a unverified', 'b unverified'])
  })
})

test('what is wrong comes first, then who leads, then names', () => {
  const state = having(
    election(7, 9, 11),
    shown(1_000, [7]),
    heard(9_000, { instance: 'c', lease: leaseOf(11) }),
    heard(9_000, { instance: 'd', token: 9 }),
    heard(7_000, { instance: 'z', token: 7 }),
    heard(9_000, { instance: 'b' }),
  )
  expect(verdicts(state, 10_000)).toEqual(['z contradicts', 'd agrees', 'b agrees', 'c agrees'])
})

test('a lease’s claim is the newest word of who has it', () => {
  const older = { ...said(1_000, { instance: 'a', token: 7 }), since: null, lateSince: null }
  const newer = { ...older, instance: 'b', reportedAt: at(2_000) }
  expect(newestOn([older, newer], leaseOf(7))?.instance).toBe('b')
  expect(newestOn([newer, older], leaseOf(7))?.instance).toBe('b')
  expect(newestOn([older], leaseOf(8))).toBeNull()
  expect(newestOn([older], null)).toBeNull()
})
