import { expect, test } from 'vitest'
import { fileName, fileTime } from './file-name.ts'

test.each([
  [['jobs', 'terms'], 'jobs-terms.csv'],
  [['../../etc/passwd', 'terms'], 'etc-passwd-terms.csv'],
  [['a"; filename="b\r\nX: y', 'terms'], 'a-filename-b-X-y-terms.csv'],
  [['Büro/日本', ''], 'B-ro-unnamed.csv'],
  [['x'.repeat(500)], `${'x'.repeat(80)}.csv`],
])('%j is called %s', (parts, name) => {
  expect(fileName(parts, 'csv')).toBe(name)
})

test('a time in a name has its zone and no colon', () => {
  expect(fileTime('2026-03-12T03:00:00.123Z')).toBe('20260312T030000Z')
})
