import { expect, test } from 'vitest'
import { titleWith } from './title-badge.ts'

test('the count stands before the title, once, and goes', () => {
  expect(titleWith('Elections · Tenure', 2)).toBe('(2) Elections · Tenure')
  expect(titleWith('(2) Elections · Tenure', 3)).toBe('(3) Elections · Tenure')
  expect(titleWith('(3) Elections · Tenure', 0)).toBe('Elections · Tenure')
})

test('an election whose name begins with a bracket keeps it', () => {
  expect(titleWith('(eu) job · Tenure', 1)).toBe('(1) (eu) job · Tenure')
  expect(titleWith('(1) (eu) job · Tenure', 0)).toBe('(eu) job · Tenure')
})
