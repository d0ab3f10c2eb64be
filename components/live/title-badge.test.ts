import { expect, test } from 'vitest'
import { TitleBadge } from './title-badge.ts'

test('the count stands before the title, once, and goes', () => {
  const badge = new TitleBadge()
  let title = 'Elections · Tenure'
  for (const [count, wanted] of [
    [2, '(2) Elections · Tenure'],
    [3, '(3) Elections · Tenure'],
    [0, 'Elections · Tenure'],
  ] as const) {
    title = badge.titleFor(title, count)
    expect(title).toBe(wanted)
  }
})

test('a page that sets its own title gets the count before it', () => {
  const badge = new TitleBadge()
  badge.titleFor('Elections · Tenure', 2)
  expect(badge.titleFor('Audit · Tenure', 2)).toBe('(2) Audit · Tenure')
  expect(badge.titleFor('(2) Audit · Tenure', 0)).toBe('Audit · Tenure')
})

test('an election that is called as if it had a count keeps its name', () => {
  const badge = new TitleBadge()
  expect(badge.titleFor('(2) job · Tenure', 1)).toBe('(1) (2) job · Tenure')
  expect(badge.titleFor('(1) (2) job · Tenure', 0)).toBe('(2) job · Tenure')
})
