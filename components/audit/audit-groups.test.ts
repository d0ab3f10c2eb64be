import { describe, expect, test } from 'vitest'
import type { AuditEntryShape } from '../live/audit.ts'
import { groupsOf, heldBack } from './audit-groups.ts'

function entry(number: number, kind: AuditEntryShape['kind'], operation: string): AuditEntryShape {
  return {
    ...{ number, kind, operation, at: '2026-07-03T10:00:00.000Z', hash: '', verb: 'handoff', reason: '', result: null },
    ...{ asked: null, seen: null, actor: { kind: 'person', name: 'Anna', address: '' }, subject: { cluster: 'eu' } },
  }
}

describe('rows of the audit page', () => {
  test('are one for an operation, ordered by when it was meant', () => {
    const groups = groupsOf([
      entry(6, 'outcome', 'a'),
      entry(5, 'refusal', 'a'),
      entry(4, 'outcome', 'b'),
      entry(3, 'intent', 'b'),
      entry(2, 'outcome', 'a'),
      entry(1, 'intent', 'a'),
    ])
    expect(groups.map(({ key, number, latest, first }) => [key, number, latest.number, first.number])).toEqual([
      ['entry 5', 5, 5, 5],
      ['b', 3, 4, 3],
      ['a', 1, 6, 1],
    ])
    expect(groups.at(-1)?.entries.map(({ number }) => number)).toEqual([6, 2, 1])
  })

  test('of strangers, who have no operation, are one for each', () => {
    expect(groupsOf([entry(2, 'refusal', ''), entry(1, 'refusal', '')])).toHaveLength(2)
  })

  test('that are new wait, and an outcome of one that is shown does not', () => {
    const before = [entry(2, 'intent', 'b'), entry(1, 'intent', 'a')]
    const groups = groupsOf([entry(4, 'intent', 'c'), entry(3, 'outcome', 'a'), ...before])
    const { shown, waiting } = heldBack(groups, 2)
    expect(waiting).toBe(1)
    expect(shown.map(({ key, latest }) => [key, latest.number])).toEqual([
      ['b', 2],
      ['a', 3],
    ])
  })
})
