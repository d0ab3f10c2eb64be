import { describe, expect, it } from 'vitest'
import { msOf } from '../../lib/shared/clock.ts'
import {
  brushed,
  pageOf,
  RANGES,
  rangeOf,
  shifted,
  spanOf,
  stepRange,
  upToMoment,
  viewFrom,
  withView,
} from './detail-range.ts'

const NOW = '2026-03-12T03:12:47.123Z'
const params = (text: string) => new URLSearchParams(text)

describe('the view in the URL', () => {
  it('is the last hour, live, unless it says otherwise', () => {
    expect(viewFrom(params(''))).toMatchObject({ range: { id: '1h' }, end: null })
    expect(viewFrom(params('range=7y&end=soon'))).toMatchObject({ range: { id: '1h' }, end: null })
  })

  it('survives a round trip and leaves other parameters alone', () => {
    const query = withView(params('cluster=a'), viewFrom(params('range=6h&end=2026-03-12T02:00:00.000Z')))
    expect(query.get('cluster')).toBe('a')
    expect(viewFrom(query)).toMatchObject({ range: { id: '6h' }, end: '2026-03-12T02:00:00.000Z' })
    expect(withView(params('range=6h'), viewFrom(params(''))).toString()).toBe('')
  })

  it('steps through the ranges and stops at the ends', () => {
    expect(stepRange(RANGES[0], 1)).toBe(RANGES[1])
    expect(stepRange(RANGES[0], -1)).toBe(RANGES[0])
    expect(stepRange(RANGES[5], 1)).toBe(RANGES[5])
    expect(stepRange(rangeOf(90 * 60_000), 1).id).toBe('6h')
    expect(stepRange(rangeOf(90 * 60_000), -1).id).toBe('1h')
  })

  it('takes any length, to the second, between ten seconds and thirty days', () => {
    const lengthOf = (text: string) => viewFrom(params(`range=${text}`)).range.ms
    expect(['5400s', '90m', '3600s', '1s', '31d'].map(lengthOf)).toEqual([
      5_400_000,
      5_400_000,
      3_600_000,
      10_000,
      30 * 24 * 3_600_000,
    ])
    expect(viewFrom(params('range=3600s')).range).toBe(RANGES[1])
    expect(withView(params(''), viewFrom(params('range=90m'))).get('range')).toBe('5400s')
  })

  it('goes half a range earlier and later, and not beyond now', () => {
    const live = viewFrom(params(''))
    const earlier = shifted(live, -1, NOW)
    expect(earlier.end).toBe('2026-03-12T02:42:47.123Z')
    expect(shifted(earlier, -1, NOW).end).toBe('2026-03-12T02:12:47.123Z')
    expect(shifted(earlier, 1, NOW)).toEqual(live)
    // Back again some seconds later: time has gone on meanwhile.
    expect(shifted(earlier, 1, '2026-03-12T03:12:59.000Z')).toEqual(live)
  })

  it('shows what was brushed, widened where it is too short', () => {
    const at = msOf(NOW)
    expect(spanOf(brushed(at - 90_000, at), NOW)).toEqual({ fromMs: at - 90_000, toMs: at })
    expect(spanOf(brushed(at, at + 2_000), NOW)).toEqual({ fromMs: at - 4_000, toMs: at + 6_000 })
  })
})

describe('the shown span', () => {
  it('covers now and is as long as the range', () => {
    for (const range of RANGES) {
      const { fromMs, toMs } = spanOf({ range, end: null }, NOW)
      expect(toMs - fromMs).toBe(range.ms)
      expect(toMs).toBeGreaterThanOrEqual(msOf(NOW))
      expect(toMs - msOf(NOW)).toBeLessThanOrEqual(Math.max(2_000, range.ms / 900))
    }
  })

  it('asks for whole pages of whole buckets, 600 points at most, and the same question for a while', () => {
    for (const range of [...RANGES, rangeOf(11_000), rangeOf(90 * 60_000), rangeOf(11 * 24 * 3_600_000)]) {
      const view = { range, end: null }
      const page = pageOf(view, spanOf(view, NOW))
      expect(page.points).toBeLessThanOrEqual(600)
      expect((msOf(page.to) - msOf(page.from)) / page.points).toBe(range.bucketMs)
      expect(msOf(page.from) % range.bucketMs).toBe(0)
      expect(msOf(page.from)).toBeLessThanOrEqual(spanOf(view, NOW).fromMs)
      expect(pageOf(view, spanOf(view, '2026-03-12T03:12:49.000Z'))).toEqual(page)
    }
  })
})

it('in the past a range ends with the moment that is shown, or before it', () => {
  const at = '2026-03-12T03:12:07.000Z'
  const [range] = RANGES
  expect(upToMoment({ range, end: null }, at).end).toBe(at)
  expect(upToMoment({ range, end: '2026-03-12T04:00:00.000Z' }, at).end).toBe(at)
  expect(upToMoment({ range, end: '2026-03-12T03:00:00.000Z' }, at).end).toBe('2026-03-12T03:00:00.000Z')
  expect(upToMoment({ range, end: null }, null).end).toBeNull()
})
