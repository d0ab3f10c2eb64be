import { expect, it } from 'vitest'
import { percentWords } from './failover-words.ts'
import { betweenWords, isFlapping, keepsObjective, type Led, leaderlessWords, leftOutWords } from './led-words.ts'

const DAY = 86_400_000
const LED: Led = {
  election: 0,
  judgedMs: 10 * DAY,
  ledMs: 10 * DAY - 42_000,
  leaderlessMs: 42_000,
  unobservedMs: 0,
  stoppedMs: 0,
  ledShare: 1 - 42_000 / (10 * DAY),
  leaderlessMsPerDay: 4_200,
  failovers: 5,
  betweenFailoversMs: 2 * DAY,
  mostInAnHour: 2,
}

it('tells leaderless time by the day, and what it was where there is less than a day', () => {
  expect(leaderlessWords(LED)).toBe('4.2 s a day')
  expect(leaderlessWords({ ...LED, judgedMs: DAY / 24 })).toBe('42.0 s')
  expect(leaderlessWords({ ...LED, leaderlessMs: 0, leaderlessMsPerDay: 0 })).toBe('never')
  expect(leaderlessWords({ ...LED, judgedMs: 0, leaderlessMsPerDay: null })).toBe('–')
})

it('says what was left out', () => {
  expect(leftOutWords(LED)).toBe('')
  expect(leftOutWords({ ...LED, unobservedMs: 3_600_000, stoppedMs: 120_000 })).toBe('1 h unobserved, 2 m stopped')
})

it('is never rounded up to what is promised', () => {
  expect(percentWords(0.999999)).toBe('99.999 %')
  expect(percentWords(1)).toBe('100 %')
  expect(percentWords(0.98765)).toBe('98.76 %')
  expect(percentWords(null)).toBe('–')
  expect(keepsObjective(LED, 99.9)).toBe(true)
  expect(keepsObjective({ ...LED, ledShare: 0.9989 }, 99.9)).toBe(false)
  expect(keepsObjective({ ...LED, ledShare: null }, 99.9)).toBeNull()
})

it('knows flapping by the worst hour', () => {
  expect([isFlapping(LED), isFlapping({ ...LED, mostInAnHour: 5 })]).toEqual([false, true])
  expect([betweenWords(LED), betweenWords({ ...LED, betweenFailoversMs: null })]).toEqual(['2 d', '–'])
})
