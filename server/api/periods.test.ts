import { expect, test } from 'vitest'
import { unwritten } from './periods.ts'

const range = { from: '2026-03-12T03:00:00.000Z', to: '2026-03-12T04:00:00.000Z' }
const failing = (since: string) => ({ ok: false, since, error: 'disk is full', dropped: 0 }) as const

test('time in which history is not written is not observed, from when that began', () => {
  expect(unwritten({ ok: true }, range)).toEqual([])
  expect(unwritten(failing('2026-03-12T04:00:00.000Z'), range)).toEqual([])
  const reason = 'history is not being written: disk is full'
  expect(unwritten(failing('2026-03-12T03:20:00.000Z'), range)).toEqual([
    { from: '2026-03-12T03:20:00.000Z', to: range.to, reason },
  ])
  expect(unwritten(failing('2026-03-12T01:00:00.000Z'), range)).toEqual([{ ...range, reason }])
})
