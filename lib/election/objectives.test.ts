import { expect, test } from 'vitest'
import { ledObjective } from './objectives.ts'

const OBJECTIVES = {
  led: 99.9,
  failover: { percent: 95, withinMs: 12_000 },
  elections: [
    { pattern: '/elections/billing/settlement/', led: 99.99 },
    { pattern: '/elections/billing/*', led: 99.95 },
  ],
}

test.each([
  ['/elections/billing/settlement/', 99.99],
  ['/elections/billing/settlement', 99.99],
  ['/elections/billing/invoices/', 99.95],
  ['/elections/billing/invoices/eu/', 99.9],
  ['/elections/search/', 99.9],
])('%s is to be led %f %% of the time: the first pattern that fits counts', (prefix, led) => {
  expect(ledObjective(prefix, OBJECTIVES)).toBe(led)
})
