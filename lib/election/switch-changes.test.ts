import { describe, expect, test } from 'vitest'
import { armed, type Doing, engaged, extended, hasDone, released } from './switch-changes.ts'
import { type SwitchRecord, switchRecord } from './switches.ts'

const doing = (over: Partial<Doing> = {}): Doing => ({
  at: '2026-03-12T03:00:00.000Z',
  by: 'Ann',
  operation: 'op-1',
  reason: 'bad data',
  ...over,
})
const until = '2026-03-12T04:00:00.000Z'
const later = '2026-03-12T05:00:00.000Z'
const ben = doing({ at: '2026-03-12T03:10:00.000Z', by: 'Ben', operation: 'op-2', reason: 'upgrade' })
const first = engaged(null, doing(), { until, mode: 'cooperative', match: 'exact', nonce: 'n1' })

describe('a record that was engaged', () => {
  test('is one that can be read', () => {
    expect(switchRecord.parse(JSON.parse(JSON.stringify(first)))).toEqual(first)
    expect(first).toMatchObject({ state: 'engaged', by: 'Ann', nonce: 'n1', mode: 'cooperative' })
  })

  test('keeps who, why, when and nonce when it is engaged again, and only becomes more of a stop', () => {
    const again = engaged(first, ben, { until: later, mode: 'enforced', match: 'prefix', nonce: 'n2' })
    expect(again).toEqual({ ...first, until: later, mode: 'enforced', match: 'prefix', log: again.log })
    const less = engaged(again, doing({ operation: 'op-3' }), {
      until,
      mode: 'cooperative',
      match: 'exact',
      nonce: 'n3',
    })
    expect(less).toEqual({ ...again, log: less.log })
    expect(less.log?.map(({ what, by, until }) => [what, by, until])).toEqual([
      ['engaged', 'Ann', until],
      ['engaged again', 'Ben', later],
      ['engaged again', 'Ann', until],
    ])
  })

  test('knows every operation that wrote to it', () => {
    const again = engaged(first, ben, { until, mode: 'cooperative', match: 'exact', nonce: 'n2' })
    expect(['op-1', 'op-2', 'op-3'].map((operation) => hasDone(again, operation))).toEqual([true, true, false])
    expect(hasDone(null, 'op-1')).toBe(false)
  })

  test('is never meant to be released earlier by being extended', () => {
    expect(extended(first, ben, later).until).toBe(later)
    expect(extended(extended(first, ben, later), doing(), until).until).toBe(later)
  })

  test('keeps its reason and nonce when it is released, with who did it and who confirmed it', () => {
    const done = released(first, ben, 'Cid')
    expect(done).toMatchObject({ state: 'released', by: 'Ben', reason: 'bad data', nonce: 'n1', operation: 'op-2' })
    expect(done.released).toEqual({ at: ben.at, by: 'Ben', operation: 'op-2', reason: 'upgrade', confirmedBy: 'Cid' })
    expect(done.log?.at(-1)).toMatchObject({ what: 'released', by: 'Ben, confirmed by Cid', until: null })
    expect(released(first, ben, null).released).not.toHaveProperty('confirmedBy')
  })

  test('is a new stop after a release: another author, reason and nonce, the same log', () => {
    const anew = engaged(released(first, ben, null), ben, { until, mode: 'enforced', match: 'prefix', nonce: 'n2' })
    expect(anew).toMatchObject({ state: 'engaged', by: 'Ben', reason: 'upgrade', nonce: 'n2', mode: 'enforced' })
    expect(anew).not.toHaveProperty('released')
    expect(anew.log?.map(({ what }) => what)).toEqual(['engaged', 'released', 'engaged'])
  })

  test('of a writer that keeps no log has its first step in it from then on', () => {
    const { log: _, mode: __, ...plain } = first
    const again = engaged(plain as SwitchRecord, ben, { until, mode: 'cooperative', match: 'exact', nonce: 'n2' })
    expect(again.log?.map(({ what, by }) => [what, by])).toEqual([
      ['engaged', 'Ann'],
      ['engaged again', 'Ben'],
    ])
  })

  test('keeps the newest fifty steps', () => {
    let record = first
    for (let n = 0; n < 60; n += 1) record = extended(record, doing({ operation: `op-${n}` }), until)
    expect(record.log).toHaveLength(50)
    expect(record.log?.at(-1)?.operation).toBe('op-59')
  })
})

test('an armed record stops nobody, and is meant to be released by no time', () => {
  const record = armed(doing(), 'prefix', 'n1')
  expect(switchRecord.parse(record)).toMatchObject({ state: 'released', match: 'prefix' })
  expect(record.log).toEqual([{ ...doing(), what: 'armed', until: null }])
})
