import { expect, test } from 'vitest'
import { CatchingUp } from './catching-up.ts'

function stream(...starts: string[]) {
  const catchingUp = new CatchingUp(starts)
  catchingUp.pinged()
  return catchingUp
}

test('watches that begin where the member stands are current with the first answer', () => {
  const catchingUp = stream('11', '11')
  expect(catchingUp.watched(0, '10')).toBe(false)
  expect(catchingUp.watched(1, '10')).toBe(false)
  expect(catchingUp.answer()).toBe(true)
})

test('no answer counts before every range is watched', () => {
  const catchingUp = stream('11', '11')
  catchingUp.watched(0, '10')
  expect(catchingUp.answer()).toBe(false)
})

test('a watch that is behind is not current by answers to pings that were sent before it had its time', () => {
  const catchingUp = stream('11')
  catchingUp.pinged()
  expect(catchingUp.watched(0, '30')).toBe(true)
  catchingUp.pinged()
  // As after a black hole: all that was sent meanwhile is answered at once.
  expect([catchingUp.answer(), catchingUp.answer()]).toEqual([false, false])
  catchingUp.settled()
  catchingUp.pinged()
  expect(catchingUp.answer()).toBe(false)
  expect(catchingUp.answer()).toBe(true)
})

test('revisions are compared as numbers, not as text', () => {
  expect(stream('11').watched(0, '9')).toBe(false)
  expect(stream('9').watched(0, '11')).toBe(true)
})

test('while missed events still come, the wait begins anew; new events do not prolong it', () => {
  const catchingUp = stream('11')
  catchingUp.watched(0, '9000')
  catchingUp.settled()
  catchingUp.pinged()
  expect(catchingUp.received('5000')).toBe(true)
  expect([catchingUp.answer(), catchingUp.answer()]).toEqual([false, false])
  catchingUp.settled()
  catchingUp.pinged()
  expect(catchingUp.received('9001')).toBe(false)
  expect(catchingUp.answer()).toBe(true)
})
