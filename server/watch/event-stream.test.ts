import { expect, test } from 'vitest'
import { revision } from '../../lib/election/ids.ts'
import type { EtcdError, WatchPort, WatchSignal } from '../../lib/election/ports.ts'
import { type Cursor, followEvents } from './event-stream.ts'

const RANGE = { key: new Uint8Array(), end: new Uint8Array() }
const created = (range: number, at: string): WatchSignal => ({ type: 'created', range, revision: revision(at) })
const alive = (at: string): WatchSignal => ({ type: 'alive', revision: revision(at) })

/** What a stream with these signals says of being current, for cursors that have seen revision 10. */
async function follow(signals: readonly WatchSignal[], cursors = 1) {
  const watch: WatchPort = {
    avoid: () => {},
    open: async () => ({
      endpoint: 'e',
      close: () => {},
      signals: (async function* () {
        for (const signal of signals) yield [signal]
      })(),
    }),
  }
  const current: string[] = []
  const seen: Cursor[] = Array.from({ length: cursors }, () => ({ range: RANGE, seen: revision('10') }))
  const done = followEvents(watch, seen, new AbortController().signal, {
    current: (at) => current.push(at),
    revision: () => {},
  })
  const error = await done.catch((reason: unknown) => reason)
  return { current, error }
}

test('a stream that begins where the store stands is current with its first sign of life', async () => {
  expect((await follow([created(0, '10'), alive('10'), alive('11')])).current).toEqual(['10', '11'])
})

test('a stream that has to catch up is not current before its second sign of life', async () => {
  expect((await follow([created(0, '30'), alive('30'), alive('31')])).current).toEqual(['31'])
})

test('one whose start was compacted is never called current', async () => {
  const canceled: WatchSignal = { type: 'canceled', range: 0, compactRevision: revision('20'), reason: '' }
  const { current, error } = await follow([created(0, '30'), alive('30'), canceled])
  expect(current).toEqual([])
  expect(error).toMatchObject({ kind: 'compacted' } satisfies Partial<EtcdError>)
})

test('every range has to be there first', async () => {
  expect((await follow([created(0, '10'), alive('10'), created(1, '10'), alive('10')], 2)).current).toEqual(['10'])
})
