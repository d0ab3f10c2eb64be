import { EventEmitter } from 'node:events'
import type { Etcd3 } from 'etcd3'
import { expect, test } from 'vitest'
import { openWatch } from './watch-stream.ts'

test('a watch that is given up while it is being opened ends, instead of waiting for ever', async () => {
  const stream = Object.assign(new EventEmitter(), { write: () => true, cancel: () => {} })
  const opened = Promise.withResolvers<typeof stream>()
  let closed = false
  const client = {
    watchClient: { watch: () => opened.promise },
    close: () => {
      closed = true
    },
  } as unknown as Etcd3
  const giveUp = new AbortController()
  const watch = openWatch(client, 'http://e:2379', [], giveUp.signal)
  giveUp.abort()
  opened.resolve(stream)
  const { signals } = await watch
  await expect(signals[Symbol.asyncIterator]().next()).rejects.toMatchObject({ kind: 'aborted' })
  expect(closed).toBe(true)
})

// etcd refuses it under the id of its answers to pings, and such an answer means that all is well.
test('a watch that etcd refuses to create is canceled, not alive', async () => {
  const stream = Object.assign(new EventEmitter(), { write: () => true, cancel: () => {} })
  const client = { watchClient: { watch: async () => stream }, close: () => {} } as unknown as Etcd3
  const watch = await openWatch(client, 'http://e:2379', [], new AbortController().signal)
  const refusal = { watch_id: '-1', created: true, canceled: true, cancel_reason: 'permission denied', events: [] }
  stream.emit('data', { ...refusal, header: { revision: '7' } })
  const { value } = await watch.signals[Symbol.asyncIterator]().next()
  expect(value).toMatchObject([{ type: 'canceled', reason: 'permission denied' }])
  watch.close()
})
