import { describe, expect, it } from 'vitest'
import { type FailoverParts, failoverBars } from './bars.ts'

const frame = { span: { fromMs: 0, toMs: 1_000 }, plot: { left: 78, right: 780 }, height: 126, topS: 14, width: 824 }

function failover(atMs: number, parts: Partial<FailoverParts> = {}): FailoverParts {
  return { key: `${atMs}`, atMs, detectMs: 7_900, vacancyMs: 40, takeoverMs: 420, ...parts }
}

describe('failoverBars', () => {
  it('shows every part that took time with two pixels or more, stacked from the ground', () => {
    const [bar] = failoverBars([failover(500)], frame)
    expect(bar?.parts.map(({ part }) => part)).toEqual(['detect', 'vacancy', 'takeover'])
    expect(bar?.parts[1]?.height).toBe(2)
    let y = 126
    for (const part of bar?.parts ?? []) {
      y -= part.height
      expect(part.y).toBeCloseTo(y)
    }
    expect(bar?.label).toBe('8.4 s')
  })

  it('tells a refill by etcd from detect, and how much less detect may be', () => {
    const refilled = failover(500, { detectMs: 6_000, detectErrorMs: 1_000, refillMs: 5_000 })
    const [bar] = failoverBars([refilled], frame)
    expect(bar?.parts.map(({ part }) => part)).toEqual(['detect', 'refill', 'vacancy', 'takeover'])
    expect(bar?.errorPx).toBeCloseTo(126 / 14)
    expect(bar?.label).toBe('11.5 s')
    expect(failoverBars([failover(500)], frame)[0]?.errorPx).toBe(0)
  })

  it('draws nothing for what was not observed or took no time', () => {
    const [bar] = failoverBars([failover(500, { detectMs: null, vacancyMs: 0 })], frame)
    expect(bar?.parts.map(({ part }) => part)).toEqual(['takeover'])
    expect(bar?.label).toBe('420 ms')
  })

  it('keeps bars in the plot and drops those outside the span', () => {
    const bars = failoverBars([failover(-1), failover(0), failover(1_000)], frame)
    expect(bars).toHaveLength(2)
    expect(bars[0]?.x).toBeGreaterThanOrEqual(78)
    expect((bars[1]?.x ?? 0) + (bars[1]?.width ?? 0)).toBeLessThanOrEqual(780)
  })

  it('labels the longest first and lets no label touch another', () => {
    const bars = failoverBars([failover(500), failover(510, { detectMs: 9_000 }), failover(520)], frame)
    const boxes = bars
      .filter(({ label }) => label !== '')
      .map(({ labelX, labelEnd }) => (labelEnd ? [labelX - 36, labelX] : [labelX, labelX + 36]))
      .sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0))
    boxes.slice(1).forEach(([from], at) => {
      expect(from).toBeGreaterThanOrEqual(boxes[at]?.[1] ?? 0)
    })
  })
})
