import { expect, test } from 'vitest'
import { lyingClaims } from './claims.ts'
import { compare } from './compare.ts'
import { faithful, JOB, truthOf } from './fixtures.ts'
import { type Claim, TOLERANCE } from './model.ts'
import { type SABOTAGES, sabotage } from './sabotage.ts'

const truth = truthOf()
const claims = (): Claim[] =>
  truth.terms.map(({ token, key, fromMs, toMs }) => ({
    source: 'page',
    prefix: JOB.prefix,
    leader: { token, key },
    fromMs,
    toMs: toMs ?? fromMs + 1_000,
    samples: 1,
  }))

function kindsAfter(how?: (typeof SABOTAGES)[number]): string[] {
  const evidence = { told: [faithful(truth)], claims: claims() }
  if (how !== undefined) sabotage(how, evidence)
  const { differences } = compare({ truths: [truth], told: evidence.told, deeds: [] }, TOLERANCE)
  return [...differences, ...lyingClaims([truth], evidence.claims, TOLERANCE)].map(({ kind }) => kind)
}

test('an honest history passes', () => {
  expect(kindsAfter()).toEqual([])
})

test.each([
  ['late', 'wrong time'],
  ['drop', 'missing term'],
  ['invent', 'invented term'],
  ['order', 'wrong order'],
  ['double', 'doubled event'],
  ['stale', 'live lie'],
] as const)('sabotage "%s" is noticed as "%s"', (how, kind) => {
  expect(kindsAfter(how)).toContain(kind)
})
