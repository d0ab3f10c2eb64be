import { describe, expect, test } from 'vitest'
import { claimsHoldUntilMs, dualClaimOf } from './claims.ts'
import { at, CLUSTER, election, having, heard, key, leaseOf, rev, said, shown } from './claims-for-test.ts'
import { statusOf } from './status.ts'
import type { ElectionState, Gap } from './types.ts'

const dual = (state: ElectionState, ms: number, gaps: readonly Gap[] = []) => {
  const found = dualClaimOf(state, gaps, at(ms))
  return found?.claimants.map(({ claim, reason }) => `${claim.instance} ${reason}`) ?? null
}

describe('no dual claim', () => {
  test.each<[string, ElectionState, number]>([
    ['while nobody reports', election(7, 9), 1_000],
    ['when the leader claims its own term', having(election(7, 9), heard(10, { token: 7 })), 1_000],
    ['when others wait', having(election(7, 9), heard(10, { token: 7 }), heard(20, { instance: 'b' })), 1_000],
    [
      'after a handover: the former leader said so before the end was seen, and its claim has not run out',
      having(
        election(7, 9),
        heard(900, { token: 7 }),
        shown(1_000, [7]),
        heard(1_050, { instance: 'b', token: 9, state: 'leading' }),
      ),
      5_000,
    ],
    [
      'when a report was on its way while the term ended',
      having(election(7, 9), shown(1_000, [7]), heard(2_000, { token: 7 })),
      5_000,
    ],
    [
      'when the new leader reports before the watch has shown its term',
      having(election(7, 9), heard(900, { token: 7 }), heard(1_000, { instance: 'b', token: 9 }), shown(1_400, [7])),
      7_000,
    ],
    [
      'when one that just woke up takes its claim back in time',
      having(election(7, 9), shown(1_000, [7]), heard(9_000, { token: 7 }), heard(11_400, {})),
      11_600,
    ],
    ['before that time has passed', having(election(7, 9), shown(1_000, [7]), heard(9_000, { token: 7 })), 11_499],
    [
      'once the claim has run out',
      having(election(7, 9), shown(1_000, [7]), heard(2_500, { token: 7, leftMs: 4_000 })),
      6_500,
    ],
    [
      'when a leader counts in the epoch of etcd and Tenure in its own',
      having(election(7), heard(10, { token: 7, epoch: 3 })),
      9_000,
    ],
  ])('%s', (_, state, ms) => {
    expect(dual(state, ms)).toBeNull()
    expect(statusOf(state, CLUSTER, at(ms))).not.toBe('dual-claim')
  })
})

describe('a dual claim', () => {
  test.each<[string, ElectionState, number, string[]]>([
    [
      'two instances claim one token',
      having(election(7), heard(10, { token: 7 }), heard(20, { instance: 'b', token: 7 })),
      30,
      ['a same-token', 'b same-token'],
    ],
    [
      'a claim came after its term had been seen to end',
      having(election(7, 9), shown(1_000, [7]), heard(2_001, { token: 7 })),
      4_501,
      ['a term-ended'],
    ],
    [
      'it goes on claiming, and its first late report counts',
      having(election(7, 9), shown(1_000, [7]), heard(2_500, { token: 7 }), heard(3_400, { token: 7 })),
      5_000,
      ['a term-ended'],
    ],
    [
      'two claim, each in a term of its own, long after the second began',
      having(election(7, 9), shown(1_000, [7]), heard(2_500, { token: 7 }), heard(2_600, { instance: 'b', token: 9 })),
      5_500,
      ['a term-ended'],
    ],
    [
      'nobody leads, and one claims the term before',
      having(election(7), shown(1_000, [7]), heard(3_000, { token: 7 })),
      5_500,
      ['a term-ended'],
    ],
    [
      'a token was never the first in the queue, and is older than the leader’s',
      having(election(7), heard(3_000, { token: 5 })),
      5_500,
      ['a term-ended'],
    ],
    [
      'a waiter believes that it won',
      having(election(7, 9), heard(10, { instance: 'b', token: 9 })),
      5_010,
      ['b never-led'],
    ],
    [
      'the leader’s key was put again on another lease',
      having(
        election(7),
        { ...shown(1_000, []), puts: [key(7, { lease: leaseOf(8), modRevision: rev(500) })] } as never,
        heard(2_000, { token: 7 }),
      ),
      4_500,
      ['a other-lease'],
    ],
    [
      'it claims a term of the epoch before',
      having(
        having(election(40), {
          type: 'rolled-back',
          at: at(1_000),
          epoch: 1,
          from: rev(100),
          revision: rev(50),
          keys: [key(45)],
        }),
        heard(3_000, { token: 90, lease: leaseOf(90) }),
      ),
      5_500,
      ['a term-ended'],
    ],
  ])('%s', (_, state, ms, who) => {
    expect(dual(state, ms)).toEqual(who)
    expect(statusOf(state, CLUSTER, at(ms))).toBe('dual-claim')
  })

  test('is no status while etcd cannot be seen, and none of a look-alike', () => {
    const state = having(election(7), heard(10, { token: 7 }), heard(20, { instance: 'b', token: 7 }))
    expect(statusOf(state, { ...CLUSTER, freshness: 'stale' }, at(30))).toBe('unknown')
    expect(statusOf(state, { ...CLUSTER, rolledBack: { from: rev(9), to: rev(3), at: at(0) } }, at(30))).toBe('unknown')
    expect(statusOf({ ...state, confirmed: false }, CLUSTER, at(30))).toBe('unconfirmed')
  })

  test('of a token that was not seen waits until nothing of etcd was missed for five seconds', () => {
    const state = having(election(7), heard(10, { token: 9, leftMs: 60_000 }))
    const gaps = [{ from: at(5), to: at(8_000), reason: 'events were lost' }]
    expect(dual(state, 12_999, gaps)).toBeNull()
    expect(dual(state, 13_000, gaps)).toEqual(['a never-led'])
  })

  test('says since when: the end of the term, or the claim when that came later', () => {
    const ended = having(election(7, 9), heard(500, { token: 7 }), shown(1_000, [7]), heard(2_500, { token: 7 }))
    expect(dualClaimOf(ended, [], at(5_000))?.since).toBe(at(1_000))
    const began = having(election(7, 9), shown(1_000, [7]), heard(2_500, { token: 7 }))
    expect(dualClaimOf(began, [], at(5_000))?.since).toBe(at(2_500))
  })
})

describe('what is heard', () => {
  test('an older report never replaces a newer one', () => {
    const state = having(election(7), heard(2_000, {}), heard(1_000, { token: 7 }))
    expect(state.claims).toMatchObject([{ token: null, reportedAt: at(2_000) }])
  })

  test('saying it again prolongs the claim and keeps its beginning', () => {
    const again = { instance: 'a', reportedAt: at(3_000), validUntil: at(9_000), lastWorkAt: at(2_990) }
    const state = having(election(7), heard(1_000, { token: 7 }), { type: 'claims', again: [again] })
    expect(state.claims).toMatchObject([{ since: at(1_000), validUntil: at(9_000), lastWorkAt: at(2_990) }])
  })

  test('saying it again, too late, is late', () => {
    const again = { instance: 'a', reportedAt: at(3_000), validUntil: at(9_000), lastWorkAt: null }
    const state = having(election(7, 9), heard(500, { token: 7 }), shown(1_000, [7]), {
      type: 'claims',
      again: [again],
    })
    expect(state.claims[0]?.lateSince).toBe(at(3_000))
  })

  test('who is gone is forgotten; who was never known is not made up', () => {
    const again = { instance: 'b', reportedAt: at(3_000), validUntil: null, lastWorkAt: null }
    const state = having(election(7), heard(1_000, {}), { type: 'claims', again: [again], gone: ['a'] })
    expect(state.claims).toEqual([])
  })

  test('another token of the same instance is another claim', () => {
    const state = having(election(7, 9), shown(1_000, [7]), heard(2_500, { token: 7 }), heard(3_000, { token: 9 }))
    expect(state.claims).toMatchObject([{ since: at(3_000), lateSince: null }])
  })
})

describe('the first act of a new leader', () => {
  const elected = having(election(7, 9), shown(1_000, [7]))

  test('is its first report of the term', () => {
    expect(having(elected, heard(1_420, { token: 9 })).term?.takeoverMs).toBe(420)
    expect(having(elected, heard(1_420, { token: 9 }), heard(3_000, { token: 9 })).term?.takeoverMs).toBe(420)
  })

  test('is no report of another term, nor of one that does not work yet', () => {
    expect(having(elected, heard(1_420, { token: 7 })).term?.takeoverMs).toBeNull()
    expect(having(elected, heard(1_420, { token: 9, state: 'suspect' })).term?.takeoverMs).toBeNull()
    expect(having(elected, heard(1_420, {})).term?.takeoverMs).toBeNull()
  })

  test('counts as 0 when it came before the watch had shown the term', () => {
    const state = having(election(7, 9), heard(990, { instance: 'b', token: 9 }), shown(1_000, [7]))
    expect(state.term?.takeoverMs).toBe(0)
  })

  test('is not measured from a beginning that nobody saw', () => {
    const unseen = { ...elected, term: elected.term && { ...elected.term, fromAtLeast: true } }
    expect(having(unseen, heard(1_420, { token: 9 })).term?.takeoverMs).toBeNull()
  })
})

test('holds until the next moment at which time alone can change it', () => {
  const state = having(election(7, 9), shown(1_000, [7]), heard(2_500, { token: 7, leftMs: 10_000 }))
  const turns = [2_500, 5_000, 7_500, 12_500].map((ms) => claimsHoldUntilMs(state, [], Date.parse(at(ms))))
  expect(turns).toEqual([at(5_000), at(7_500), at(12_500), null].map((time) => (time ? Date.parse(time) : Infinity)))
  expect(claimsHoldUntilMs(election(7), [], 0)).toBe(Number.POSITIVE_INFINITY)
  expect(said(0, {}).validUntil).toBeNull()
})
