import { expect, test } from 'vitest'
import { lyingClaims } from './claims.ts'
import { JOB, START_MS, truthOf } from './fixtures.ts'
import { type Claim, TOLERANCE } from './model.ts'

const truth = truthOf()
const at = (seconds: number) => START_MS + seconds * 1_000

function lies(claim: Partial<Claim>): string[] {
  const whole: Claim = {
    source: 'page',
    prefix: JOB.prefix,
    leader: { token: 2, key: '/elections/job/a' },
    fromMs: at(1),
    toMs: at(2),
    samples: 5,
    ...claim,
  }
  return lyingClaims([truth], [whole], TOLERANCE).map(({ message }) => message)
}

test('the leader of the moment, and one replaced less than five seconds ago, are no lie', () => {
  expect(lies({})).toEqual([])
  expect(lies({ toMs: at(24.9) })).toEqual([])
})

test('a leader that was replaced more than five seconds ago is a lie', () => {
  expect(lies({ toMs: at(25.1) })).toEqual([expect.stringContaining('5100 ms after its term had ended')])
})

test('a leader that never was, or is not yet', () => {
  expect(lies({ leader: { token: 9, key: '/elections/job/a' } })).toEqual([expect.stringContaining('never led')])
  expect(lies({ leader: { token: 2, key: '/elections/job/b' } })).toEqual([expect.stringContaining('never led')])
  const next = { token: 3, key: '/elections/job/b' }
  expect(lies({ leader: next, fromMs: at(18), toMs: at(21) })).toEqual([expect.stringContaining('before its term')])
})

test('no leader, more than five seconds after one began', () => {
  expect(lies({ leader: null, fromMs: at(1), toMs: at(4) })).toEqual([])
  expect(lies({ leader: null, fromMs: at(1), toMs: at(6) })).toEqual([expect.stringContaining('showed no leader')])
})

test('an election that never was', () => {
  expect(lies({ prefix: '/elections/ghost/' })).toHaveLength(1)
})

test('no leader, seen a moment before the observer heard that the last one had gone', () => {
  const alone = { ...truth, terms: truth.terms.slice(0, 1) }
  const [term] = alone.terms
  const goneMs = term?.toMs ?? 0
  const claim: Claim = {
    source: 'api',
    prefix: JOB.prefix,
    leader: null,
    fromMs: goneMs - 3,
    toMs: goneMs + 8_000,
    samples: 9,
  }
  expect(lyingClaims([alone], [claim], TOLERANCE)).toEqual([])
})
