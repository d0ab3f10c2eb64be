import { describe, expect, it } from 'vitest'
import { asOfIn, readMoment, withAsOf } from './as-of.ts'

const NOW = '2026-03-12T08:30:00.000Z'
const AT = { at: '2026-03-12T03:12:07.000Z' }

describe('a moment that somebody typed', () => {
  it.each([
    ['2026-03-12T03:12:07Z', AT],
    ['2026-03-12T03:12:07.000Z', AT],
    [' 2026-03-12 03:12:07 utc ', AT],
    ['2026-03-12 3:12', { at: '2026-03-12T03:12:00.000Z' }],
    ['2026-03-11', { at: '2026-03-11T00:00:00.000Z' }],
    ['2026-03-12 03:12:07.25', { at: '2026-03-12T03:12:07.250Z' }],
    ['03:12:07', AT],
    ['23:05', { at: '2026-03-11T23:05:00.000Z' }],
  ])('reads %j', (text, moment) => {
    expect(readMoment(text, NOW)).toEqual(moment)
  })

  it.each(['', 'yesterday', '2026-02-31 03:00:00', '25:00', '2026-03-12T03:12:07+02:00', '12.3.2026'])(
    'is none: %j',
    (text) => {
      expect(readMoment(text, NOW)).toEqual({ problem: expect.stringContaining('is no time') })
    },
  )

  it('must not be in the future', () => {
    expect(readMoment('2026-03-12 09:00', NOW)).toEqual({
      problem: '2026-03-12 09:00:00 UTC is in the future: it is 2026-03-12 08:30:00 UTC.',
    })
    expect(readMoment('2026-03-12 09:00', null)).toEqual({ at: '2026-03-12T09:00:00.000Z' })
  })
})

describe('the address', () => {
  it('names the moment beside what else it says, and forgets it again', () => {
    const search = withAsOf('?filter=all&q=a%20b', AT.at)
    expect(search).toBe('?filter=all&q=a%20b&asof=2026-03-12T03:12:07Z')
    expect(asOfIn(new URLSearchParams(search))).toBe('2026-03-12T03:12:07Z')
    expect(withAsOf(search, '2026-03-12T03:12:07.250Z')).toBe('?filter=all&q=a%20b&asof=2026-03-12T03:12:07.250Z')
    expect(withAsOf(search, null)).toBe('?filter=all&q=a%20b')
    expect(withAsOf('?asof=x', null)).toBe('')
  })
})
