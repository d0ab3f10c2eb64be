import { expect, it } from 'vitest'
import { formatFor } from './negotiate.ts'

it.each([
  ['text', null],
  ['text', '*/*'],
  ['text', 'text/html,application/xhtml+xml'],
  ['text', 'text/plain;version=0.0.4'],
  ['openmetrics', 'application/openmetrics-text'],
  [
    'openmetrics',
    'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
  ],
  ['text', 'application/openmetrics-text;version=0.0.1,text/plain;version=0.0.4;q=0.5'],
  ['text', 'application/openmetrics-text;version=1.0.0;q=0.2,text/plain;q=0.5'],
  ['text', 'application/openmetrics-text;q=0'],
  ['text', 'application/openmetrics-text;q=many'],
])('%s for %s', (format, accept) => {
  expect(formatFor(accept)).toBe(format)
})
