import { expect, test } from 'vitest'
import { refusal } from '../history/audit-fixtures.ts'
import { MOST_IN_WINDOW, Strangers } from './strangers.ts'

test('the first of a minute are stored, the others counted and told by the first one after it', () => {
  const strangers = new Strangers()
  const taken = Array.from({ length: MOST_IN_WINDOW + 7 }, (_, n) => strangers.take(refusal(), n))
  expect(taken.flat()).toHaveLength(MOST_IN_WINDOW)
  expect(strangers.take(refusal(), 59_999)).toEqual([])
  const [sum, next] = strangers.take(refusal(), 60_000)
  expect(sum).toMatchObject({
    kind: 'note',
    operation: '',
    seen: { count: 8 },
    words: expect.stringMatching(/^8 more/),
  })
  expect(next).toEqual(refusal())
  expect(strangers.take(refusal(), 120_000)).toEqual([refusal()])
})
