import { describe, expect, test } from 'vitest'
import { momentWords, sentenceOf, subjectWords } from './audit-words.ts'

const NOW = '2026-07-03T10:00:00.000Z'

describe('the sentence on top', () => {
  test.each([
    [{ actions: 0, refused: 0, newest: null }, 'Nothing was recorded yet.'],
    [{ actions: 0, refused: 0, newest: '2026-07-01T10:00:00.000Z' }, 'No action in the last 24 h, nothing refused.'],
    [{ actions: 1, refused: 1, newest: NOW }, '1 action in the last 24 h, 1 refusal.'],
    [{ actions: 1_200, refused: 3, newest: NOW }, '1,200 actions in the last 24 h, 3 refusals.'],
  ])('%j', (summary, words) => {
    expect(sentenceOf(summary, NOW)[0]).toBe(words)
  })

  test('says how old the newest entry is', () => {
    const newest = '2026-07-03T09:57:55.000Z'
    expect(sentenceOf({ actions: 2, refused: 0, newest }, NOW)[1]).toBe('The newest entry is 2 m 05 s old.')
  })
})

test('a moment of another day has its day', () => {
  expect(momentWords('2026-07-03T09:57:55.000Z', NOW)).toBe('09:57:55')
  expect(momentWords('2026-07-02T09:57:55.000Z', NOW)).toBe('Thu 2 Jul 09:57:55')
})

test.each([
  [{ subject: { cluster: 'eu', name: 'jobs', ref: 'q~x' }, asked: null }, 'jobs'],
  [{ subject: { cluster: 'eu', scope: '' }, asked: null }, 'everything'],
  [{ subject: { cluster: 'eu', scope: '/pay/' }, asked: null }, '/pay/'],
  [{ subject: { cluster: null, person: { id: 'p', name: 'Zoë' } }, asked: null }, 'Zoë'],
  [{ subject: { cluster: null }, asked: { token: 'ci', role: 'viewer' } }, 'ci'],
  [{ subject: { cluster: null }, asked: { name: 7 } }, ''],
  [{ subject: { cluster: 'eu' }, asked: 'text' }, ''],
])('%j is about %j', (entry, words) => {
  expect(subjectWords(entry)).toBe(words)
})
