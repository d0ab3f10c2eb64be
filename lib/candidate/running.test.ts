import { expect, it } from 'vitest'
import { Running } from './running.ts'
import type { Leadership } from './term.ts'

const leadership = {} as Leadership

it('never rejects, and says how the work ended, whether it threw at once or later', async () => {
  let settled = 0
  const onSettled = () => {
    settled += 1
  }
  const thrown = new Error('disk full')
  const atOnce = new Running(
    () => {
      throw thrown
    },
    leadership,
    onSettled,
  )
  const later = new Running(() => Promise.reject(thrown), leadership, onSettled)
  const fine = new Running(() => {}, leadership, onSettled)
  await Promise.all([atOnce.done, later.done, fine.done])
  expect([atOnce.failure, later.failure, fine.failure]).toEqual([{ error: thrown }, { error: thrown }, null])
  expect([settled, atOnce.settled]).toEqual([3, true])
})

it('waits for its end no longer than told, or until a signal', async () => {
  let end = () => {}
  const work = () =>
    new Promise<void>((resolve) => {
      end = resolve
    })
  const running = new Running(work, leadership, () => {})
  expect(await running.within(10)).toBe(false)
  const stopping = new AbortController()
  const waiting = running.orAborted(stopping.signal)
  stopping.abort()
  await waiting
  expect(running.settled).toBe(false)
  end()
  expect(await running.within(1_000)).toBe(true)
  await running.orAborted(new AbortController().signal)
})
