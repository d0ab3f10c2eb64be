import { expect, test } from 'vitest'
import type { AuditActor } from '../history/audit.ts'
import { refusal } from '../history/audit-fixtures.ts'
import { MOST_IN_WINDOW, RefusalLimit } from './strangers.ts'

test('the first of a minute are stored, the others counted and told by the first one after it', () => {
  const stranger = refusal({ actor: { kind: 'nobody', name: 'nobody', address: '' } })
  const strangers = new RefusalLimit()
  const taken = Array.from({ length: MOST_IN_WINDOW + 7 }, (_, n) => strangers.take(stranger, n))
  expect(taken.flat()).toHaveLength(MOST_IN_WINDOW)
  expect(strangers.take(stranger, 59_999)).toEqual([])
  const [sum, next] = strangers.take(stranger, 60_000)
  expect(sum).toMatchObject({
    kind: 'note',
    operation: '',
    seen: { count: 8 },
    words: expect.stringMatching(/^8 more/),
  })
  expect(next).toEqual(stranger)
  expect(strangers.take(stranger, 120_000)).toEqual([stranger])
})

test('somebody who is known has a limit of their own, whatever they use, and is named in the sum', () => {
  const limit = new RefusalLimit()
  const ann: AuditActor = { kind: 'person', name: 'Ann', personId: 'a', address: '' }
  const take = (actor: AuditActor, nowMs: number) => limit.take(refusal({ actor }), nowMs)
  for (let n = 0; n < MOST_IN_WINDOW; n += 1) expect(take(ann, n)).toHaveLength(1)
  expect(take({ ...ann, kind: 'token', token: 't' }, 100)).toEqual([])
  expect(take({ ...ann, name: 'Ben', personId: 'b' }, 100)).toHaveLength(1)
  expect(take(ann, 60_000)[0]).toMatchObject({ actor: ann, words: expect.stringMatching(/^1 more refusals of Ann,/) })
})
