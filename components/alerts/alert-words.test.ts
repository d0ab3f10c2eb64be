import { describe, expect, test } from 'vitest'
import type { ChannelShape, Delivery } from '../../lib/election/alerts.ts'
import type { ElectionRef } from '../../lib/election/types.ts'
import {
  channelWords,
  deliveryWords,
  fitsWords,
  overWords,
  partsWords,
  silenceState,
  silenceWords,
  whenWords,
} from './alert-words.ts'
import { alertOf, NOW, silenceOf } from './fixture.ts'

const channel = (more: Partial<ChannelShape>): ChannelShape => ({
  name: 'oncall',
  type: 'webhook',
  to: 'hooks.example.org',
  severities: ['critical', 'warning'],
  waiting: 0,
  lastDeliveredAt: null,
  trouble: null,
  ...more,
})
const AGO_41S = '2026-03-12T03:12:06.000Z'

test('a time of today is told without its day', () => {
  expect(whenWords(AGO_41S, NOW)).toBe('03:12:06')
  expect(whenWords('2026-03-11T23:59:00.000Z', NOW)).toBe('Wed 11 Mar 23:59')
})

describe('a channel', () => {
  test.each([
    [{}, 'calm', 'never used'],
    [{ lastDeliveredAt: AGO_41S }, 'ok', 'delivered 41 s ago'],
    [{ waiting: 3, trouble: '503 from hooks.example.org' }, 'crit', '3 waiting: 503 from hooks.example.org'],
    [
      { waiting: 1, trouble: 'no answer', lastDeliveredAt: AGO_41S },
      'crit',
      '1 waiting: no answer; delivered 41 s ago',
    ],
    [{ trouble: '400 from host' }, 'warn', 'the newest attempt failed: 400 from host'],
    [{ waiting: 2 }, 'warn', '2 waiting'],
  ] as const)('%j', (more, tone, words) => {
    expect(channelWords(channel(more), NOW)).toEqual({ tone, words })
  })
})

describe('a delivery', () => {
  const delivery = (more: Partial<Delivery>): Delivery => ({
    id: 'm1',
    channel: 'oncall',
    kind: 'firing',
    alertId: 'a1',
    key: 'k',
    summary: 's',
    at: AGO_41S,
    state: 'delivered',
    attempts: 1,
    deliveredAt: AGO_41S,
    error: null,
    nextAt: null,
    ...more,
  })
  test.each([
    [{}, 'ok', 'delivered 03:12:06'],
    [{ attempts: 3 }, 'ok', 'delivered 03:12:06 after 3 attempts'],
    [{ state: 'failed', deliveredAt: null, attempts: 5, error: '400' }, 'crit', 'given up after 5 attempts: 400'],
    [
      { state: 'waiting', deliveredAt: null, error: '503', nextAt: '2026-03-12T03:12:57.000Z' },
      'warn',
      'waiting: 503, again in 10 s',
    ],
    [{ state: 'waiting', deliveredAt: null }, 'calm', 'waiting'],
  ] as const)('%j', (more, tone, words) => {
    expect(deliveryWords(delivery(more), NOW)).toEqual({ tone, words })
  })
})

describe('a silence', () => {
  test('says what it fits; one that names nothing fits everything', () => {
    expect(fitsWords({})).toBe('every alert')
    expect(fitsWords({ cluster: 'eu' })).toBe('every alert in eu')
    expect(fitsWords({ rule: 'leaderless', pattern: '/elections/billing/*', cluster: 'eu' })).toBe(
      'Leaderless of /elections/billing/* in eu',
    )
  })

  test('holds until its time, or until somebody ended it', () => {
    const silence = silenceOf({ until: '2026-03-12T03:42:47.000Z' })
    expect(silenceWords(silence, NOW)).toBe('until 03:42 UTC, 30 m 00 s left')
    expect(silenceState(silence, '2026-03-12T03:42:47.000Z')).toBe('over')
    const ended = silenceOf({ ended: { by: 'u2', at: AGO_41S } })
    expect(silenceWords(ended, NOW)).toBe('ended by u2 at 03:12:06 UTC')
  })
})

test('how long it lasted; roughly where its beginning or end was not seen', () => {
  const since = '2026-03-12T03:00:00.000Z'
  expect(overWords(alertOf({ since }), NOW)).toBe('fires for 12 m 47 s')
  expect(overWords(alertOf({ since, resolvedAt: '2026-03-12T03:00:41.000Z' }), NOW)).toBe('41 s')
  expect(overWords(alertOf({ since, resolvedAt: '2026-03-12T03:12:05.000Z', resolvedApproximate: true }), NOW)).toBe(
    '≈ 12 m',
  )
})

test('an alert says what it stands for: an election once, however much is wrong with it', () => {
  const [a, b] = ['q~YQ', 'q~Yg'] as ElectionRef[]
  expect(partsWords({}, [{ ref: a }, { ref: a }, { ref: b }])).toBe('2 elections')
  expect(partsWords({ ref: a }, [{ ref: a }])).toBe('1 other alert')
  expect(partsWords({}, [{}])).toBe('1 other alert')
})
