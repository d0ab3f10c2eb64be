import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { awakeClock } from './awake-clock.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

it('counts the time that the machine slept, once, and never goes back', () => {
  let upMs = 5_000
  const clock = awakeClock(() => upMs)
  const startMs = clock.monoMs()
  const pass = (ranMs: number, sleptMs = 0) => {
    vi.advanceTimersByTime(ranMs)
    upMs += ranMs + sleptMs
    return clock.monoMs() - startMs
  }
  expect(pass(1_000)).toBe(1_000)
  // What `uptime` is short of by its own coarseness is not taken for sleep.
  expect(pass(1_000, 90)).toBe(2_000)
  expect(pass(0, 60_000)).toBe(2_000 + 60_090 - 100)
  expect(pass(1_000)).toBe(3_000 + 60_090 - 100)
  expect(pass(0, -60_000)).toBe(3_000 + 60_090 - 100)
})
