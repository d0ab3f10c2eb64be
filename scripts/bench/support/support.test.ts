import { describe, expect, it } from 'vitest'
import { median, medianRows } from './median.ts'
import { jsonLine, table } from './print.ts'
import { atLeast, atMost, atMostMore, atMostTimes, isMet, noReach, type Row } from './row.ts'

const row = (more: Partial<Row>): Row => ({ name: 'x', value: 10, unit: 'ms', reach: atMost(10), ...more })

describe('reach', () => {
  it('judges at the bound', () => {
    expect([10, 10.1].map((value) => isMet(row({ value })))).toEqual([true, false])
    expect([10, 9.9].map((value) => isMet(row({ value, reach: atLeast(10) })))).toEqual([true, false])
    expect([20, 21].map((value) => isMet(row({ value, reference: 10, reach: atMostTimes(2) })))).toEqual([true, false])
    expect([13, 14].map((value) => isMet(row({ value, reference: 10, reach: atMostMore(3) })))).toEqual([true, false])
  })

  it('what was not measured is not met', () => {
    expect(isMet(row({ value: Number.NaN, reach: noReach }))).toBe(false)
    expect(isMet(row({ reach: atMostTimes(2) }))).toBe(false)
  })
})

describe('median', () => {
  it('of odd and even counts', () => {
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1, 2, 3])).toBe(2.5)
  })

  it('takes value and reference apart, and judges afterwards', () => {
    const runs = [
      [row({ value: 9, reference: 3 })],
      [row({ value: 50, reference: 1 })],
      [row({ value: 8, reference: 2 })],
    ]
    const [result] = medianRows(runs)
    expect(result).toMatchObject({ value: 9, reference: 2 })
    expect(result && isMet(result)).toBe(true)
  })

  it('a row that one run lacks is not measured', () => {
    expect(medianRows([[row({})], []])[0]?.value).toBeNaN()
  })
})

describe('output', () => {
  it('is one object a line, or a table', () => {
    expect(JSON.parse(jsonLine(row({ reference: 5 })))).toEqual({
      name: 'x',
      value: 10,
      unit: 'ms',
      reference: 5,
      reach: '≤ 10',
      met: true,
    })
    expect(
      table([row({ value: 12.345, reference: 5 })])
        .split('\n')
        .at(-1),
    ).toMatch(/^x\s+12\.3 ms\s+5 ms\s+2\.47 ×\s+≤ 10\s+NO$/)
  })
})
