import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Margins } from './margins.ts'

const MINUTE = 60_000

it('remembers the worst of the last minute', () => {
  const margins = new Margins()
  expect(margins.worst(0, 10_000)).toBeNull()
  margins.add(0, 0.9)
  margins.add(1_000, 0.3)
  margins.add(2_000, 0.8)
  expect(margins.worst(3_000, 10_000)).toBe(0.3)
  expect(margins.worst(MINUTE + 1_001, 10_000)).toBe(0.8)
  expect(margins.worst(MINUTE + 2_001, 10_000)).toBeNull()
})

it('a long TTL is remembered for longer: it is looked up less often', () => {
  const margins = new Margins()
  margins.add(0, 0.5)
  expect(margins.worst(100_000, 120_000)).toBe(0.5)
})

it('is the least of what was looked up within the time', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 0, max: 100 })), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(steps, (looks) => {
      const margins = new Margins()
      const seen: { atMs: number; ratio: number }[] = []
      let atMs = 0
      for (const [laterMs, percent] of looks) {
        atMs += laterMs
        margins.add(atMs, percent / 100)
        seen.push({ atMs, ratio: percent / 100 })
        const within = seen.filter((look) => look.atMs >= atMs - MINUTE)
        expect(margins.worst(atMs, 10_000)).toBe(Math.min(...within.map(({ ratio }) => ratio)))
      }
    }),
  )
})

it('keeps few of many, and rather says too little for a while', () => {
  const margins = new Margins()
  for (let number = 0; number < 10_000; number += 1) margins.add(number, number / 10_000)
  expect(JSON.stringify(margins).length).toBeLessThan(4_000)
  expect(margins.worst(10_000, 10_000)).toBe(0)
})
