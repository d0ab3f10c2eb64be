import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { KeySpan, Notice, NoticePort } from '../election/ports.ts'
import type { Revision } from '../election/types.ts'
import { latin1 } from '../shared/bytes.ts'
import { Bell } from './bell.ts'
import { spanOf } from './keys.ts'
import { Triggers } from './triggers.ts'

interface Ear {
  name: string
  from: Revision
  tell(notice: Notice): void
}

function make() {
  const ears: Ear[] = []
  const etcd: NoticePort = {
    notice: (span: KeySpan, from, tell) => {
      const ear = { name: latin1(span.key), from, tell }
      ears.push(ear)
      return () => ears.splice(ears.indexOf(ear), 1)
    },
  }
  const bell = new Bell()
  let rings = 0
  bell.ring = () => {
    rings += 1
  }
  return { ears, triggers: new Triggers(etcd, bell), names: () => ears.map(({ name }) => name), rings: () => rings }
}

const at = (revision: number) => String(revision) as Revision
const spans = (...names: string[]) => names.map((name) => spanOf(name))

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('listens to these spans and no others, to each from what was last seen when it was asked for', () => {
  const { ears, triggers, names } = make()
  triggers.watch(spans('a', 'b'), at(9))
  triggers.watch(spans('b', 'c'), at(20))
  expect(names()).toEqual(['b', 'c'])
  expect(ears.map(({ from }) => from)).toEqual(['10', '21'])
  triggers.close()
  expect(names()).toEqual([])
})

it('rings when told of a change, and a while after a loss, so that what was missed is read', () => {
  const { ears, triggers, names, rings } = make()
  triggers.watch(spans('a'), at(9))
  ears[0]?.tell('changed')
  expect(rings()).toBe(1)
  ears[0]?.tell('lost')
  expect(rings()).toBe(1)
  vi.advanceTimersByTime(50)
  expect(rings()).toBe(2)
  ears.length = 0
  triggers.watch(spans('a'), at(30))
  expect([names(), ears[0]?.from]).toEqual([['a'], '31'])
})

it('waits longer after each loss in a row, up to two seconds', () => {
  const { ears, triggers, rings } = make()
  for (let loss = 0; loss < 20; loss += 1) {
    triggers.watch(spans('a'), at(9))
    ears.pop()?.tell('lost')
    vi.advanceTimersByTime(2_000)
  }
  expect(rings()).toBe(20)
  triggers.watch(spans('a'), at(9))
  ears[0]?.tell('lost')
  vi.advanceTimersByTime(900)
  expect(rings()).toBe(20)
})

it('keeps one timer for what is asked for again and again, and none after it is closed', () => {
  const { triggers, rings } = make()
  for (let ask = 0; ask < 100; ask += 1) triggers.ringLater(200)
  triggers.ringLater(500)
  expect(vi.getTimerCount()).toBe(2)
  vi.advanceTimersByTime(500)
  expect(rings()).toBe(2)
  triggers.ringLater(200)
  triggers.close()
  expect(vi.getTimerCount()).toBe(0)
})

it('reads once after a stream of several watches was lost', () => {
  const { ears, triggers, rings } = make()
  triggers.watch(spans('a', 'b', 'c', 'd'), at(9))
  for (const ear of [...ears]) ear.tell('lost')
  vi.advanceTimersByTime(2_000)
  expect(rings()).toBe(1)
})
