import { expect, test } from 'vitest'
import { at, seen } from './incident-for-test.ts'
import { incidentSummary } from './incident-summary.ts'

test('a report counts nothing that lies after it was made', () => {
  const stop = {
    ...{ scope: '/e/', scopeBase64: btoa('/e/'), match: 'prefix' as const, nonce: 'n', by: 'ada', reason: 'upgrade' },
    ...{ from: at(50), to: null, ended: null, endedBy: null },
  }
  const summary = incidentSummary([], seen({ to: at(86_400), madeAt: at(110), stops: [stop] }))
  expect(summary).toBe('No leader changed in 1 m 50 s. A kill switch held for 1 m 00 s.')
})
