import { expect, it } from 'vitest'
import { type Bin, countTicks, durationBars, durationRows, durationX, shownBins } from './duration-model.ts'

const FRAME = { left: 30, right: 330, height: 200 }
const bins = (counts: readonly number[]): Bin[] =>
  counts.map((count, at) => ({
    fromMs: at * 1_000,
    toMs: at === counts.length - 1 ? null : (at + 1) * 1_000,
    count,
    mass: at === 9 ? 1 : 0,
  }))

it('shows what there is, and the objective with room behind it', () => {
  const all = bins([...Array(9).fill(0), 4, ...Array(16).fill(0)])
  expect(shownBins(all, 12_000)).toHaveLength(16)
  expect(shownBins(all, 2_000)).toHaveLength(10)
  expect(shownBins(bins([...Array(25).fill(0), 1]), 12_000)).toHaveLength(26)
})

it('draws bars as tall as their counts; one among thousands is still seen', () => {
  const drawn = durationBars(bins([0, 3_000, 1, 0, 0, 0, 0, 0, 0, 2]), 3_000, FRAME)
  expect(drawn[0]?.height).toBe(0)
  expect(drawn[1]).toMatchObject({ y: 0, height: 200, x: 61, width: 28 })
  expect(drawn[2]?.height).toBe(2)
  expect(drawn[9]?.massHeight).toBe(1)
})

it('places a duration among the bins, and the longest at their end', () => {
  const all = bins(Array(10).fill(1))
  expect(durationX(5_000, all, FRAME)).toBe(180)
  expect(durationX(90_000, all, FRAME)).toBe(330)
})

it('has whole counts on its axis', () => {
  expect(countTicks(0)).toEqual([0, 1])
  expect(countTicks(11)).toEqual([0, 5, 10, 15])
  expect(countTicks(119_000)).toEqual([0, 50_000, 100_000, 150_000])
})

it('is a table of what is there', () => {
  expect(durationRows(bins([2, 0, 1]))).toEqual([
    ['from', 'to', 'failovers', 'in mass events'],
    ['0 s', '1 s', '2', '0'],
    ['2 s', 'longer', '1', '0'],
  ])
})
