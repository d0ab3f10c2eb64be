import { expect, test } from 'vitest'
import { engaged, released } from '../../../lib/election/switch-changes.ts'
import { clashOf, engagedOver } from './engage-over.ts'

const doing = { at: '2026-03-12T03:00:00.000Z', by: 'Ann', operation: 'op-1', reason: 'bad data' }
const asked = (match: 'exact' | 'prefix', mode: 'cooperative' | 'enforced') =>
  ({ until: '2026-03-12T04:00:00.000Z', match, mode, nonce: 'n1' }) as const
const wide = engaged(null, doing, asked('prefix', 'cooperative'))
const unreadable = { record: null, raw: 'off!' }

test('enforcing one election where everything below is stopped is refused, with what stands and what to do', () => {
  expect(clashOf({ record: wide, raw: null }, asked('exact', 'enforced'))).toMatchObject({
    why: expect.stringMatching(/^A stop stands here: cooperative on everything below it\./),
    fix: expect.stringMatching(/^Engage with match prefix to enforce everything below, or /),
  })
  expect(engagedOver({ record: wide, raw: null }, doing, asked('exact', 'enforced'))).toHaveProperty('instead')
})

test('a released record stands in the way of nothing', () => {
  const over = { record: released(wide, doing, null), raw: null }
  expect(engagedOver(over, doing, asked('exact', 'enforced'))).toMatchObject({ match: 'exact', mode: 'enforced' })
})

test.each(['exact', 'prefix'] as const)('over a record that cannot be read, %s stops everything below', (match) => {
  expect(engagedOver(unreadable, doing, asked(match, 'cooperative'))).toMatchObject({
    match: 'prefix',
    replaced: 'off!',
  })
})

test('what cannot be read is never enforced for one election alone', () => {
  expect(clashOf(unreadable, asked('exact', 'enforced'))?.why).toMatch(/^A record that cannot be read stands here/)
  expect(engagedOver(unreadable, doing, asked('prefix', 'enforced'))).toMatchObject({
    match: 'prefix',
    mode: 'enforced',
  })
})
