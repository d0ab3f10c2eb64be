import { expect, test } from 'vitest'
import { spanOf, viewFrom } from '../election/detail-range.ts'
import { momentHref } from './moment-href.ts'

const AT = '2026-07-03T10:00:00.000Z'

test.each([
  ['long ago', '2026-07-04T10:00:00.000Z'],
  ['a minute ago', '2026-07-03T10:01:00.000Z'],
  ['in this moment', AT],
  ['later than the clock of this page knows', '2026-07-03T09:59:59.000Z'],
])('what was done %s lies within the time that the page shows', (_, now) => {
  const url = new URL(momentHref('eu west', 'q~x', AT, now), 'http://tenure.invalid')
  expect(url.pathname).toBe('/elections/eu%20west/q~x')
  const view = viewFrom(url.searchParams)
  const { fromMs, toMs } = spanOf(view, now)
  expect(view.end).not.toBeNull()
  expect(fromMs).toBeLessThan(Date.parse(AT))
  expect(toMs).toBeGreaterThanOrEqual(Date.parse(AT))
})
