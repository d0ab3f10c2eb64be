import { describe, expect, it } from 'vitest'
import { instant } from '../shared/clock.ts'
import type { Condition, ConditionKind } from './conditions.ts'
import { raftChanges, surroundingsOf, surroundingWords } from './surroundings.ts'

const at = (seconds: number) => instant(Date.parse('2026-03-12T03:00:00Z') + seconds * 1_000)

function span(kind: ConditionKind, subject: string, [from, to]: [number, number | null], raftTerm?: string): Condition {
  return { kind, subject, from: at(from), to: to === null ? null : at(to), ...(raftTerm ? { raftTerm } : {}) }
}
const LED = [
  span('raft-leader', 'etcd-1', [0, 100], '3'),
  span('raft-leader', 'etcd-2', [102, 200], '4'),
  span('raft-leader', 'etcd-2', [201, null], '5'),
]
const wordsAt = (second: number, conditions: Condition[] = LED) =>
  surroundingWords(surroundingsOf(at(second), conditions))

describe('changes of the etcd raft leader', () => {
  it('are new raft terms, by the same member too; the first span and one that goes on after a restart are none', () => {
    const restarted = [...LED, span('raft-leader', 'etcd-2', [300, null], '5')]
    expect(raftChanges(restarted)).toEqual([
      { from: at(100), to: at(102), before: 'etcd-1', after: 'etcd-2' },
      { from: at(200), to: at(201), before: 'etcd-2', after: 'etcd-2' },
    ])
  })

  it('are told for ten seconds, and while they are under way', () => {
    expect(wordsAt(99)).toBeNull()
    expect(wordsAt(101)).toBe('etcd raft leader changed at that time')
    expect(wordsAt(102.4)).toBe('etcd raft leader changed less than 1 s before')
    expect(wordsAt(103.9)).toBe('etcd raft leader changed 1 s before')
    expect(wordsAt(112)).toBe('etcd raft leader changed 10 s before')
    expect(wordsAt(112.1)).toBeNull()
  })

  it('are not told of a moment when Tenure was away at the change', () => {
    const away = [span('raft-leader', 'etcd-1', [0, 100], '3'), span('raft-leader', 'etcd-2', [170, null], '4')]
    expect(raftChanges(away)).toHaveLength(1)
    expect(wordsAt(120, away)).toBeNull()
    expect(wordsAt(171, away)).toBeNull()
  })
})

describe('what else was wrong', () => {
  const wrong = [
    span('no-quorum', '', [10, 20]),
    span('slow-probe', 'etcd-1', [10, 30]),
    span('slow-probe', 'etcd-3', [10, 30]),
    span('alarm', 'NOSPACE etcd-1', [25, null]),
  ]

  it('is told while it lasts, both ends with it', () => {
    expect(wordsAt(9, wrong)).toBeNull()
    expect(wordsAt(10, wrong)).toBe('etcd had no quorum, etcd-1 and etcd-3 answered slowly or not at all')
    expect(wordsAt(20, wrong)).toMatch(/^etcd had no quorum/)
    expect(wordsAt(26, wrong)).toBe('etcd-1 and etcd-3 answered slowly or not at all, alarm NOSPACE etcd-1')
  })
})
