import { describe, expect, test } from 'vitest'
import {
  armed,
  combined,
  type Doing,
  ENGAGED,
  engaged,
  extended,
  hasDone,
  isReused,
  type Reaching,
  released,
  replacing,
} from './switch-changes.ts'
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
    const by = { 'op-1': 'Ann', 'op-2': 'Ben', 'op-3': 'Ann' }
    const done = Object.entries(by).map(([operation, by]) => ({ operation, by, what: ENGAGED }))
    expect(done.map((each) => hasDone(again, each))).toEqual([true, true, false])
    expect(done.map((each) => isReused(again, each))).toEqual([false, false, false])
    expect(hasDone(null, { operation: 'op-1', by: 'Ann', what: ENGAGED })).toBe(false)
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

describe('an id that stands in the record', () => {
  const done = (over: object) => ({ operation: 'op-1', by: 'Ann', what: ENGAGED, ...over })
  test.each([
    ['for the same', first, done({}), [true, false]],
    ['by somebody else', first, done({ by: 'Ben' }), [false, true]],
    ['for something else', first, done({ what: ['released'] }), [false, true]],
    ['of a record without a log', { ...first, log: undefined }, done({}), [true, false]],
    ['of a record without a log by somebody else', { ...first, log: undefined }, done({ by: 'Ben' }), [false, true]],
    [
      'of a release',
      released(first, ben, 'Cid'),
      done({ operation: 'op-2', by: 'Ben', what: ['released'] }),
      [true, false],
    ],
    [
      'of who confirmed it',
      released(first, ben, 'Cid'),
      done({ operation: 'op-2', by: 'Cid', what: ['released'] }),
      [true, false],
    ],
    ['not at all', first, done({ operation: 'op-9' }), [false, false]],
  ] as const)('%s', (_name, record, own, expected) => {
    expect([hasDone(record as SwitchRecord, own), isReused(record as SwitchRecord, own)]).toEqual(expected)
  })
})

describe('engaging again never makes what nobody asked for', () => {
  const say = (words: string): Reaching => {
    const [match, mode] = words.split(' ')
    return { match, mode } as Reaching
  }
  test.each([
    ['exact cooperative', 'exact cooperative', 'exact cooperative'],
    ['exact cooperative', 'exact enforced', 'exact enforced'],
    ['exact cooperative', 'prefix cooperative', 'prefix cooperative'],
    ['exact cooperative', 'prefix enforced', 'prefix enforced'],
    ['exact enforced', 'exact cooperative', 'exact enforced'],
    ['exact enforced', 'exact enforced', 'exact enforced'],
    ['exact enforced', 'prefix cooperative', null],
    ['exact enforced', 'prefix enforced', 'prefix enforced'],
    ['prefix cooperative', 'exact cooperative', 'prefix cooperative'],
    ['prefix cooperative', 'exact enforced', null],
    ['prefix cooperative', 'prefix cooperative', 'prefix cooperative'],
    ['prefix cooperative', 'prefix enforced', 'prefix enforced'],
    ['prefix enforced', 'exact cooperative', 'prefix enforced'],
    ['prefix enforced', 'exact enforced', 'prefix enforced'],
    ['prefix enforced', 'prefix cooperative', 'prefix enforced'],
    ['prefix enforced', 'prefix enforced', 'prefix enforced'],
  ])('%s, asked for %s: %s', (standing, asked, expected) => {
    expect(combined(say(standing), say(asked))).toEqual(expected === null ? null : say(expected))
  })
})

test('a record that cannot be read is replaced by one as wide, which keeps what it said', () => {
  const record = replacing('x'.repeat(3_000), doing(), { until, mode: 'cooperative', match: 'exact', nonce: 'n1' })
  expect(switchRecord.parse(JSON.parse(JSON.stringify(record)))).toEqual(record)
  expect(record).toMatchObject({ state: 'engaged', match: 'prefix', reason: 'bad data', replaced: 'x'.repeat(2_000) })
  expect(record.log?.map(({ reason }) => reason)).toEqual(['bad data (replaced a record that could not be read)'])
})
