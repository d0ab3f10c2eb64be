import { describe, expect, it } from 'vitest'
import { brief } from '../../lib/shared/format.ts'
import { later, term } from './detail-fixtures.ts'
import { anatomyWords, termDuration, termGap, termSpan } from './detail-term-words.ts'

const plain = (text: string) => text.replaceAll('\u2009', ' ')

describe('cells of the term table', () => {
  it('show when, to the second, and name other days', () => {
    expect(plain(termSpan(term(1), later(500)))).toBe('03:01:40 → 03:03:10')
    expect(plain(termSpan(term(1, { to: null }), later(500)))).toBe('03:01:40 → now')
    expect(plain(termSpan(term(1), later(90_000)))).toBe('12 Mar 03:01 → 03:03')
    const long = term(1, { to: later(90_000) })
    expect(plain(termSpan(long, later(900_000)))).toBe('12 Mar 03:01 → 13 Mar')
    expect(plain(termSpan(long, later(90_100)))).toBe('12 Mar 03:01 → 04:00:00')
  })

  it('say that a beginning was not seen', () => {
    expect(plain(termSpan(term(1, { fromAtLeast: true }), later(500)))).toBe('≤03:01:40 → 03:03:10')
    expect(termDuration(term(1, { fromAtLeast: true }), later(500))).toBe('≥1 m 30 s')
  })

  it('never show a gap that was not observed as zero', () => {
    expect(termGap(term(1, { gapMs: null }))).toBe('–')
    expect(termGap(term(1, { gapMs: 8_400 }))).toBe('8.4 s')
    expect(brief(17)).toBe('17 ms')
    expect(anatomyWords({ detectMs: null, vacancyMs: 40, takeoverMs: 420 })).toBe('vacancy 40 ms + takeover 420 ms')
  })
  it('tell a refill by etcd from detect, and how much less detect may be', () => {
    const parts = { detectMs: 7_900, detectErrorMs: 1_000, refillMs: 9_000, vacancyMs: 40, takeoverMs: 420 }
    expect(anatomyWords(parts)).toBe('detect 7.9 s (−1 s) + refill 9.0 s + vacancy 40 ms + takeover 420 ms')
    expect(anatomyWords({ ...parts, detectMs: 400, detectErrorMs: 400, refillMs: 0 })).toBe(
      'detect 400 ms (−400 ms) + vacancy 40 ms + takeover 420 ms',
    )
  })
})
