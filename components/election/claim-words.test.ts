import { describe, expect, it } from 'vitest'
import { dualClaimOf } from '../../lib/election/claims.ts'
import { at, CLUSTER, election, having, heard, key, leaseOf, rev, shown } from '../../lib/election/claims-for-test.ts'
import { ClusterView } from '../../lib/election/cluster-view.ts'
import type { ElectionState } from '../../lib/election/types.ts'
import { judgeClaims } from '../../lib/election/verdicts.ts'
import { dualClaimWords, nextStep, saying, speakerOf, whyNot } from './claim-words.ts'
import { sentence, spoken } from './detail-sentence.ts'
import { explain, statusDetail } from './explain.ts'
import { rowsOf } from './list-model.ts'

const twins = having(
  election(7, 9),
  heard(1_000, { instance: 'x', token: 7 }),
  heard(2_000, { instance: 'y', token: 7 }),
)
const former = having(election(7, 9), shown(1_000, [7]), heard(2_500, { instance: 'old', token: 7 }))
const alone = having(election(7), shown(1_000, [7]), heard(2_500, { instance: 'old', token: 7 }))
const eager = having(election(7, 9), heard(10, { instance: 'eager', token: 9 }))
const unknown = having(election(7), heard(3_000, { instance: 'old', token: 5 }))
const moved = having(
  election(7),
  { ...shown(1_000, []), puts: [key(7, { lease: leaseOf(8), modRevision: rev(500) })] } as never,
  heard(2_000, { instance: 'old', token: 7 }),
)

function wordsOf(state: ElectionState, ms: number) {
  const dual = dualClaimOf(state, [], at(ms))
  if (dual === null) throw new Error('no dual claim')
  const [first] = dual.claimants
  return { what: dualClaimWords(state, dual), next: nextStep(dual), why: first && whyNot(state, first) }
}

describe('a dual claim in words', () => {
  it.each([
    ['two with one token', twins, 'x and y claim #1 with token 7 at once.', 'Another instance claims the same token.'],
    [
      'a former leader',
      former,
      'etcd says w9 leads #2. old still claims #1, an older token.',
      'etcd ended that term at 03:00:01.',
    ],
    [
      'a former leader, nobody after it',
      alone,
      'etcd says nobody leads. old still claims #1, an older token.',
      'etcd ended that term at 03:00:01.',
    ],
    [
      'a waiter that thinks it won',
      eager,
      'etcd says w7 leads #1. eager claims token 9, which has not led.',
      'etcd has not made this token the leader.',
    ],
    [
      'a term that nobody remembers',
      unknown,
      'etcd says w7 leads #1. old still claims token 5, an older one.',
      'A newer term has begun since.',
    ],
    [
      'a key that was taken over',
      moved,
      'etcd says w7 leads #1. old claims it too, but the key is no longer on its lease.',
      'Its key is on another lease now.',
    ],
  ])('%s', (_, state, what, why) => {
    expect(wordsOf(state, 6_000)).toMatchObject({ what, why })
  })

  it('says what to do, and what a fence can do about it', () => {
    expect(wordsOf(former, 6_000).next).toBe(
      'Restart that process (old); writes with token 7 are refused only by a resource that checks it.',
    )
    expect(wordsOf(twins, 6_000).next).toBe(
      'Restart all but one of them; a resource that checks tokens cannot tell writers with token 7 apart.',
    )
    const three = having(former, heard(2_600, { instance: 'older', token: 5 }))
    expect(wordsOf(three, 6_000).next).toBe(
      'Restart those processes (old and older); writes with tokens 7 and 5 are refused only by a resource that checks it.',
    )
  })

  it('stands in the sentence of the page, after whom etcd names', () => {
    const dual = dualClaimOf(former, [], at(6_000))
    const input = { state: former, name: 'job', now: at(6_000), frozen: null, worstMargin: null }
    const words = spoken(sentence({ ...input, dual }))
    expect(words).toContain(
      'is led by w9 for 5 s, term #2 (token 9). old also claims to lead with token 7 (#1) since 03:00:02 (3 s).',
    )
    expect(spoken(sentence({ ...input, dual: null }))).not.toContain('claims')
  })

  it('stands in the list, with how long', () => {
    const seen = { probeP95Ms: null, frozenAt: null }
    expect(explain(former, 'dual-claim', seen, at(8_000))).toContain('old still claims #1')
    expect(statusDetail(former, 'dual-claim', at(8_000))).toBe('5 s')
  })
})

describe('what an instance says', () => {
  it.each([
    [{ token: 7 }, 'I lead #1'],
    [{ token: 7, state: 'draining' as const }, 'I lead #1, draining'],
    [{ token: 7, state: 'suspect' as const }, 'I cannot prove that I lead #1'],
    [{ token: 50 }, 'I lead token 50'],
    [{}, 'I wait'],
    [{ state: 'stopped' as const }, 'I am stopped by a kill switch'],
    [{ state: 'lost' as const }, 'I am out of the queue'],
    [{ state: 'suspect' as const }, 'I could not prove that I lead'],
  ])('%j', (words, said) => {
    const [judged] = judgeClaims(having(election(7), heard(10, words)), CLUSTER, at(20))
    expect(judged && saying(judged)).toBe(said)
  })

  it('is told by its instance where it has no name', () => {
    expect(speakerOf({ identity: '', instance: '0123456789abcdef' })).toBe('instance 01234567')
  })
})

it('a row of the list turns when a claim runs out, without any change of its state', () => {
  const state = having(election(7, 9), shown(1_000, [7]), heard(2_500, { token: 7, leftMs: 4_000 }))
  const seen = { view: new ClusterView(CLUSTER, [state]), freshness: 'live' as const, frozenAt: null }
  const statuses = [4_999, 5_000, 6_499, 6_500].map((ms) => rowsOf([seen], at(ms), 1)[0]?.status)
  expect(statuses).toEqual(['no-standby', 'dual-claim', 'dual-claim', 'no-standby'])
})
