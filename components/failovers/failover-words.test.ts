import { describe, expect, it } from 'vitest'
import type { FailoverRow } from '../live/failovers.ts'
import { causeWords, changeOfHands, timeWords, unknownWords } from './failover-words.ts'
import { itemWords, massTime, pointRows } from './timeline-words.ts'

const NOW = '2026-03-12T03:12:47.000Z'
const ROW = {
  at: '2026-03-12T03:12:06.000Z',
  kind: 'failover',
  cause: 'lease lost',
  former: { identity: 'sp-1', key: '/e/a', token: '182331' },
  next: { identity: 'sp-2', key: '/e/b', token: '182399', from: '2026-03-12T03:12:06.200Z' },
  totalMs: 8_200,
  unknownParts: [],
} as unknown as FailoverRow
const row = (part: object): FailoverRow => ({ ...ROW, ...part })

describe('a row', () => {
  it('says how long, and never less than it says', () => {
    expect(timeWords(ROW, NOW)).toBe('8.2 s')
    expect(timeWords(row({ unknownParts: ['takeover'] }), NOW)).toBe('≥ 8.2 s')
    expect(timeWords(row({ kind: 'planned', unknownParts: ['takeover'] }), NOW)).toBe('8.2 s')
    expect(timeWords(row({ totalMs: null }), NOW)).toBe('–')
    expect(timeWords(row({ next: null, totalMs: null }), NOW)).toBe('41 s so far')
    expect(unknownWords(['detect', 'takeover'])).toBe('detect and takeover not known')
  })

  it('says from whom to whom, and tells two of one name apart', () => {
    expect(changeOfHands(ROW)).toBe('sp-1 → sp-2')
    expect(changeOfHands(row({ next: null }))).toBe('sp-1 → nobody')
    expect(changeOfHands(row({ by: 'ann', cause: 'revoked' }))).toBe('sp-1 → sp-2, by ann')
    const namesake = { ...ROW.next, identity: 'sp-1' }
    expect(changeOfHands(row({ next: namesake }))).toBe('sp-1 #182331 → sp-1 #182399')
    expect(changeOfHands(row({ former: { ...ROW.former, identity: '' } }))).toBe('…/a → sp-2')
  })

  it('does not call a loss during a stop a failover', () => {
    expect(causeWords('lease lost', 'failover')).toMatchObject({ mark: 'failover', note: 'expired or revoked' })
    expect(causeWords('lease lost', 'planned')).toMatchObject({ mark: 'kill', note: 'while it was stopped' })
  })
})

describe('a mark', () => {
  const point = { at: ROW.at, cause: 'lease lost', kind: 'failover', count: 1, leastMs: 9_000, mostMs: 9_000 } as const
  const place = { key: '', x: 0, y: 0, atMs: 0, scale: 1 }
  const elections = [{ ref: 'q~YQ', name: 'fraud/score', isKnown: true, ledObjective: 99.9 }] as never
  const say = (part: object) =>
    Object.values(itemWords({ ...place, point: { ...point, ...part } }, elections, NOW)).join(' ')

  it('says which election, why and how long', () => {
    expect(say({ election: 0 })).toBe('03:12:06 fraud/score Lease lost, 9.0 s')
    expect(say({ election: 0, open: true, leastMs: null, mostMs: null })).toBe(
      '03:12:06 fraud/score Lease lost, 41 s so far',
    )
    expect(say({ election: 0, leastMs: null, mostMs: null })).toContain('time not known')
  })

  it('says how many it stands for', () => {
    const words = say({ count: 12, to: '2026-03-12T03:12:40.000Z', mostMs: 14_000 })
    expect(words).toBe('03:12:06 to 03:12:40 12 changes of leader Lease lost, 9.0 s to 14.0 s')
  })

  it('of a mass event says what etcd was like, and how many have not ended', () => {
    const mass = {
      from: ROW.at,
      to: ROW.at,
      elections: 14,
      failovers: 14,
      open: 1,
      leastMs: 11_100,
      medianMs: 12_000,
      mostMs: 13_200,
      words: '14 elections moved within 2 s, etcd raft leader changed 1 s before',
    }
    expect(massTime(mass)).toBe('11.1 s to 13.2 s each, 1 has not ended')
    const words = itemWords({ ...place, masses: [mass], elections: 14 }, elections, NOW)
    expect(words.what).toBe(mass.words)
    const rows = pointRows({ points: [point], masses: { count: 1, failovers: 14, events: [mass] }, elections } as never)
    expect(rows).toHaveLength(3)
    expect(rows[2]).toContain('mass event')
  })
})
