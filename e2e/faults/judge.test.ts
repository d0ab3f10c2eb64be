import { describe, expect, it } from 'vitest'
import type { Revision } from '../../lib/election/types.ts'
import type { Attempt } from '../harness/fenced-resource.ts'
import { judge, quantile, type Rules } from './judge.ts'
import type { Believed, Recording } from './record.ts'

const token = (revision: number, epoch = 0) => ({ epoch, revision: String(revision) as Revision })

const term = (worker: string, revision: number, fromMs: number, more: Partial<Believed> = {}): Believed => ({
  worker,
  token: token(revision),
  fromMs,
  provenMs: fromMs + 90,
  learnedMs: fromMs + 92,
  why: 'not renewed',
  ended: 1,
  ...more,
})

const write = (worker: string, revision: number, provedMs: number | null, more: Partial<Attempt> = {}): Attempt => ({
  worker,
  token: token(revision),
  provedMs,
  sentMs: (provedMs ?? 0) + 1,
  atMs: (provedMs ?? 0) + 2,
  accepted: true,
  ...more,
})

/** a leads from 100 and is frozen from 195 to 320; b leads from 200. */
const faithful: Recording = {
  name: 'a test',
  terms: [term('a', 5, 100, { learnedMs: 321 }), term('b', 9, 200)],
  attempts: [
    write('a', 5, 150),
    write('b', 9, 210),
    write('b', 9, 250),
    write('a', 5, 190, { atMs: 322, accepted: false }),
  ],
  frozen: [{ worker: 'a', fromMs: 195, toMs: 320 }],
  failovers: [{ what: 'freeze', atMs: 195, boundMs: 10 }],
  counted: [
    { worker: 'a', rejected: 1 },
    { worker: 'b', rejected: 0 },
  ],
}

const EXCLUSIVE: Rules = { exclusive: true }
const THIRD_PARTY: Rules = { exclusive: false }
const rulesBroken = (recording: Recording, rules = EXCLUSIVE) =>
  judge(recording, rules).findings.map(({ rule }) => rule)
const doctored = (more: Partial<Recording>): Recording => ({ ...faithful, ...more })
const [ofA, ofB] = faithful.terms as [Believed, Believed]

it('finds nothing in a faithful recording, and measures it', () => {
  expect(judge(faithful, EXCLUSIVE)).toEqual({
    findings: [],
    terms: 2,
    attempts: 4,
    rejected: 1,
    overlapsMs: [0],
    failoversMs: [5],
    vacancyMs: 10,
    heldBack: 1,
  })
})

describe('a doctored recording', () => {
  it('two workers that believe at once', () => {
    const terms = [{ ...ofA, provenMs: 201 }, ofB]
    expect(rulesBroken(doctored({ terms }))).toEqual(['two leaders at once'])
  })

  it('a long term that covers a later one, with a short one between', () => {
    const terms = [{ ...ofA, provenMs: 900, learnedMs: 901 }, ofB, term('c', 12, 400)]
    expect(rulesBroken(doctored({ terms }))).toContain('two leaders at once')
    expect(judge(doctored({ terms }), EXCLUSIVE).overlapsMs).toEqual([700, 500])
  })

  it('a killed worker that was seen leading after its successor began', () => {
    const terms = [{ ...ofA, provenMs: 230, learnedMs: null }, ofB]
    expect(rulesBroken(doctored({ terms }))).toEqual(['two leaders at once'])
  })

  it('where a third party acts, the overlap is measured by what the worker learnt, and is no finding', () => {
    const judgement = judge(doctored({ terms: [{ ...ofA, learnedMs: 240 }, ofB], frozen: [] }), THIRD_PARTY)
    expect([judgement.findings, judgement.overlapsMs]).toEqual([[], [40]])
  })

  it('a token that is not above the one before', () => {
    const terms = [ofA, { ...ofB, token: token(4) }]
    const attempts = [write('a', 5, 150)]
    expect(rulesBroken(doctored({ terms, attempts, counted: [] }))).toEqual(['token not newer'])
  })

  it('compares tokens by epoch first', () => {
    const terms = [ofA, { ...ofB, token: token(3, 1) }]
    const attempts = [write('a', 5, 150), write('b', 3, 210, { token: token(3, 1) })]
    expect(rulesBroken(doctored({ terms, attempts, counted: [] }))).toEqual([])
  })

  it('a write that was proven after the end had been told', () => {
    const attempts = [...faithful.attempts, write('b', 9, 293)]
    expect(rulesBroken(doctored({ attempts }))).toEqual(['write after the end'])
  })

  it('a write after waking, before the worker had learnt', () => {
    const terms = [{ ...ofA, learnedMs: 340 }, ofB]
    const attempts = [...faithful.attempts, write('a', 5, 330, { accepted: false })]
    const counted = [{ worker: 'a', rejected: 2 }]
    expect(rulesBroken(doctored({ terms, attempts, counted }))).toEqual(['write after waking'])
  })

  it('a freeze that was too short to lose by is no fault', () => {
    const terms = [{ ...ofA, provenMs: 500, learnedMs: 500 }]
    const attempts = [write('a', 5, 400)]
    expect(rulesBroken(doctored({ terms, attempts, counted: [], failovers: [] }))).toEqual([])
  })

  it('a stale write that the resource took', () => {
    const attempts = faithful.attempts.map((each) => ({ ...each, accepted: true }))
    expect(rulesBroken(doctored({ attempts }))).toEqual(['accepted token went down', 'rejections not counted'])
  })

  it('one token for two terms', () => {
    const terms = [ofA, { ...ofB, token: token(5) }]
    expect(rulesBroken(doctored({ terms, attempts: [write('a', 5, 150)], counted: [] }))).toContain(
      'token of two terms',
    )
  })

  it('a write with the token of somebody else, or of nobody', () => {
    const attempts = [write('b', 5, 150), write('b', 7, 210)]
    expect(rulesBroken(doctored({ attempts, counted: [] }))).toEqual(['token of no term', 'token of no term'])
  })

  it('a rejection that the worker did not count', () => {
    expect(rulesBroken(doctored({ counted: [{ worker: 'a', rejected: 0 }] }))).toEqual(['rejections not counted'])
  })

  it('an end that was told twice', () => {
    expect(rulesBroken(doctored({ terms: [ofA, { ...ofB, ended: 2 }] }))).toEqual(['end told twice'])
  })

  it('a successor that came late, or never', () => {
    const late = { what: 'freeze', atMs: 195, boundMs: 4 }
    const never = { what: 'kill', atMs: 300, boundMs: 5_000 }
    expect(rulesBroken(doctored({ failovers: [late] }))).toEqual(['no leader in time'])
    expect(rulesBroken(doctored({ failovers: [never] }))).toEqual(['no leader in time'])
  })

  it('a run in which nobody wrote', () => {
    expect(rulesBroken(doctored({ attempts: [], counted: [] }))).toEqual(['nothing happened'])
  })
})

it('takes quantiles of what was measured', () => {
  const values = Array.from({ length: 100 }, (_, at) => 100 - at)
  expect([quantile(values, 0.5), quantile(values, 0.99), quantile([], 0.5)]).toEqual([50, 99, Number.NaN])
})
