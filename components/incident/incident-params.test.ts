import { expect, test } from 'vitest'
import { incidentFileHref, incidentHref, readIncidentParams, refusalWords } from './incident-params.ts'

const asked = {
  cluster: 'a&b',
  from: '2026-03-12T03:00:00.000Z',
  to: '2026-03-12T04:00:00.000Z',
  refs: ['q~YQ', 'k~Yg'],
}

test('an address says what it is of, and is read back', () => {
  const href = incidentHref(asked)
  expect(href).toMatch(/^\/incident\?cluster=a%26b&/)
  expect(readIncidentParams(new URL(href, 'http://x').searchParams)).toEqual(asked)
  expect(incidentFileHref({ ...asked, refs: [] }, 'json')).toMatch(/^\/api\/incident\?.*&format=json$/)
  expect(readIncidentParams(new URLSearchParams('from='))).toEqual({ refs: [] })
})

test.each([
  ['to: must be after from', 'The end must be after the beginning.'],
  ['to: must be at most 31 days after from', 'The end must be at most 31 days after the beginning.'],
  [
    'from: must be a UTC time such as x; to: must be after from',
    'The beginning must be a UTC time such as x; the end must be after the beginning.',
  ],
  ['the disk failed', 'The disk failed.'],
])('%s', (message, words) => {
  expect(refusalWords(message)).toBe(words)
})
