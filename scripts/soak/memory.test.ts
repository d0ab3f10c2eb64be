import { expect, test } from 'vitest'
import { type MemorySample, runMemory, tellMemory } from './memory.ts'

const run = (seconds: number, mbAt: (second: number) => number): MemorySample[] =>
  Array.from({ length: seconds }, (_, at) => ({ ageMs: at * 1_000, mb: mbAt(at) }))

test('a run is compared with itself: once settled, and over its last seconds', () => {
  const growing = run(61, (second) => (second < 10 ? 300 : 100 + second))
  expect(runMemory(growing)).toEqual({ seconds: 60, settledMb: 116, endMb: 157.5 })
})

test('a run that was killed early is not compared', () => {
  expect(runMemory(run(20, () => 100))).toBeNull()
  expect(runMemory([])).toBeNull()
  expect(tellMemory({ runs: 2, compared: [] })).toContain('not compared')
})

test('the closing lines name the worst run, and the end against the beginning', () => {
  const compared = [
    { seconds: 40, settledMb: 100, endMb: 110 },
    { seconds: 30, settledMb: 100, endMb: 150 },
    { seconds: 90, settledMb: 120, endMb: 115 },
  ]
  const text = tellMemory({ runs: 5, compared })
  expect(text).toContain('3 of 5 runs')
  expect(text).toContain('worst 100 → 150 MB in 30 s, 1.50 ×')
  expect(text).toContain('1.15 × (reach ≤ 1.2)')
})
