import { expect, test } from 'vitest'
import type { StandingSwitch } from '../../lib/election/scopes.ts'
import type { Revision } from '../../lib/election/types.ts'
import { base64FromLatin1 } from '../../lib/shared/bytes.ts'
import { type SeenSwitch, SwitchMemory } from './switch-memory.ts'

const AT = '2026-03-12T03:00:00.000Z'
const rev = (n: number) => String(n) as Revision

function seen(mod: number, over: Partial<StandingSwitch> = {}, nonce = 'n1'): SeenSwitch {
  return {
    scope: '/e/',
    scopeBase64: base64FromLatin1('/e/'),
    state: 'engaged',
    match: 'prefix',
    record: {
      reason: 'bad data',
      by: 'Ann',
      at: AT,
      until: '2026-03-12T04:00:00.000Z',
      nonce,
      mode: 'cooperative',
      log: [],
    },
    modRevision: rev(mod),
    ...over,
  }
}
const read = (revision: number, ...switches: SeenSwitch[]) => ({ switches, revision: rev(revision) })
const types = (memory: SwitchMemory, now = AT) => memory.tell(now).map(({ type }) => type)

test('a record that goes is told until one of its scope is written again', () => {
  const memory = new SwitchMemory()
  memory.take(read(5, seen(5)), AT)
  memory.take(read(6), AT)
  expect(memory.tell(AT)).toEqual([
    {
      type: 'vanished',
      scope: '/e/',
      scopeBase64: base64FromLatin1('/e/'),
      at: AT,
      words: 'The kill switch record of /e/, engaged by Ann, vanished without a release by a user at 03:00:00 UTC.',
    },
  ])
  memory.take(read(7), AT)
  expect(types(memory)).toEqual(['vanished'])
  memory.take(read(8, seen(8, { state: 'released' })), AT)
  expect(types(memory)).toEqual([])
})

test('a stop that went explains nothing any more, however often its record was read before', () => {
  for (const state of ['engaged', 'unreadable'] as const) {
    const memory = new SwitchMemory()
    memory.take(read(5, seen(5, { state })), AT)
    memory.take(read(6, seen(5, { state })), AT)
    expect(memory.stopAt('/e/', rev(6))).not.toBeNull()
    memory.take(read(7), AT)
    expect(memory.stopAt('/e/', rev(8))).toBeNull()
  }
})

test('a record that somebody deletes on purpose is not told, once', () => {
  const memory = new SwitchMemory()
  memory.take(read(5, seen(5, { state: 'released' })), AT)
  memory.willDelete(base64FromLatin1('/e/'), 'Ann')
  memory.take(read(6), AT)
  expect(types(memory)).toEqual([])
  memory.take(read(7, seen(7)), AT)
  memory.take(read(8), AT)
  expect(types(memory)).toEqual(['vanished'])
})

test('an older record that stands again, and one that cannot be read, are told', () => {
  const memory = new SwitchMemory()
  memory.take(read(9, seen(9)), AT)
  memory.take(read(4, seen(4, { state: 'released' })), AT)
  expect(types(memory)).toEqual(['rolled-back'])
  memory.take(read(10, seen(10, { state: 'unreadable', record: null })), AT)
  expect(types(memory)).toEqual(['unreadable'])
})

test('a release is no trouble, and what is released is never overdue', () => {
  const memory = new SwitchMemory()
  memory.take(read(5, seen(5)), AT)
  expect(types(memory, '2026-03-12T03:59:59.000Z')).toEqual([])
  expect(memory.tell('2026-03-12T04:26:00.000Z')).toMatchObject([
    { type: 'overdue', words: expect.stringContaining('was meant to be released 26 m ago') },
  ])
  memory.take(read(6, seen(6, { state: 'released' })), AT)
  expect(types(memory, '2026-03-12T04:26:00.000Z')).toEqual([])
})

test('an answer that was overtaken by a newer one says nothing', () => {
  const memory = new SwitchMemory()
  memory.take(read(5, seen(5)), AT)
  expect(memory.take(read(4), AT, true)).toBe(false)
  expect(types(memory)).toEqual([])
})

test('knows which stop held an election at a revision, also after its release', () => {
  const memory = new SwitchMemory()
  const holds = (prefix: string, at: number) => memory.stopAt(prefix, rev(at))?.record?.nonce ?? null
  memory.take(read(5, seen(5)), AT)
  memory.take(read(7, seen(7)), AT)
  expect([holds('/e/job/', 5), holds('/e/job/', 6), holds('/x/job/', 6)]).toEqual([null, 'n1', null])
  memory.take(read(9, seen(9, { state: 'released' })), AT)
  memory.take(read(12, seen(12, {}, 'n2')), AT)
  expect([9, 10, 12, 13].map((at) => holds('/e/job/', at))).toEqual(['n1', null, null, 'n2'])
  memory.take(read(14), AT)
  expect([14, 15].map((at) => holds('/e/job/', at))).toEqual(['n2', null])
})
