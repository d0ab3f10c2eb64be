import { describe, expect, test } from 'vitest'
import { alertOf, HOSTILE, messageOf, resolved } from './message-for-test.ts'
import { course, cut, headline, lines, plain, showable } from './texts.ts'

describe('what a message says', () => {
  test('its headline has the severity while it fires, and says when it is over', () => {
    expect(headline(messageOf())).toBe('Critical: billing/settlement has no leader')
    expect(headline(messageOf({ alert: alertOf({ severity: 'warning' }) }))).toMatch(/^Warning: /)
    expect(headline(messageOf({ kind: 'reminder' }))).toBe('Still critical: billing/settlement has no leader')
    expect(headline(messageOf({ kind: 'resolved', alert: resolved() }))).toMatch(/^Resolved: /)
    expect(headline(messageOf({ kind: 'test' }))).toMatch(/^Test: /)
  })

  test('times are in UTC and say so, and how long it took', () => {
    expect(course(alertOf())).toBe('Since 2026-03-12 02:14:07 UTC.')
    expect(course(resolved())).toBe('Since 2026-03-12 02:14:07 UTC. Resolved 2026-03-12 02:18:19 UTC, after 4 m 12 s.')
  })

  test('a time that Tenure did not see is told as approximate', () => {
    expect(course(alertOf({ sinceApproximate: true }))).toBe('Since 2026-03-12 02:14:07 UTC (time approximate).')
    expect(course(resolved({ resolvedApproximate: true }))).toBe(
      'Since 2026-03-12 02:14:07 UTC. Resolved 2026-03-12 02:18:19 UTC (time approximate), after about 4 m 12 s.',
    )
  })

  test('all of it', () => {
    expect(lines(messageOf())).toEqual([
      'No candidate holds it. 2 candidates wait.',
      'Since 2026-03-12 02:14:07 UTC.',
      'Cluster: prod-eu · Election: billing/settlement · Rule: leaderless · Severity: critical',
    ])
    const alert = alertOf({
      cluster: null,
      ref: undefined,
      subject: 'history',
      acknowledged: { by: 'u1', at: '2026-03-12T02:20:00.000Z', comment: 'on it' },
    })
    expect(lines(messageOf({ kind: 'reminder', at: '2026-03-13T02:14:37.120Z', alert }))).toEqual([
      'No candidate holds it. 2 candidates wait.',
      'Since 2026-03-12 02:14:07 UTC. It has not ended for 1 d 00 h.',
      'Acknowledged by u1: on it',
      'About: history · Rule: leaderless · Severity: critical',
    ])
  })
})

describe('text of strangers (RC-25)', () => {
  test.each(Object.entries(HOSTILE))('%s stays on one line, seen as it is, and not too long', (_, text) => {
    const told = showable(alertOf({ subject: text, summary: text, detail: text }))
    for (const [value, max] of [
      [told.subject, 200],
      [told.summary, 300],
      [told.detail, 2_000],
    ] as const) {
      expect(value).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u)
      expect(value.length).toBeLessThanOrEqual(max)
    }
  })

  test('is named where it cannot be seen', () => {
    expect(plain(HOSTILE.ansi, 200)).toBe('\\u{1b}[31mred\\u{1b}[0m\\u{7}')
    expect(plain(HOSTILE.rtl, 200)).toBe('abc\\u{202e}dcba\\u{2066}')
    expect(plain(HOSTILE.lines, 200)).toBe('first Bcc: u1@example.org second')
  })

  test('is cut between characters', () => {
    expect(cut('ab😀cd', 4)).toBe('ab…')
    expect(cut('abcd', 4)).toBe('abcd')
  })
})
