import { EventEmitter } from 'node:events'
import type { Etcd3 } from 'etcd3'
import { beforeEach, expect, test } from 'vitest'
import type { KeepAliveStream } from '../election/ports.ts'
import type { LeaseId } from '../election/types.ts'
import { openKeepAlive } from './keep-alive-stream.ts'

const [A, B] = ['000000000000000a', '000000000000000b'] as [LeaseId, LeaseId]

/** etcd's end of the stream: the test answers. */
class FakeStream extends EventEmitter {
  readonly asked: string[] = []
  write = ({ ID }: { ID: string }) => this.asked.push(ID)
  cancel = () => {}
  answer = (ID: string, TTL = '5') => this.emit('data', { ID, TTL })
}

let fake: FakeStream
let stream: KeepAliveStream
let isClosed: boolean

beforeEach(async () => {
  fake = new FakeStream()
  isClosed = false
  const client = {
    leaseClient: { leaseKeepAlive: async () => fake },
    close: () => {
      isClosed = true
    },
  }
  stream = await openKeepAlive(client as unknown as Etcd3, 'e', new AbortController().signal)
})

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('one late renewal does not end the stream on which others are answered', async () => {
  const late = stream.renew(A, 40)
  const other = stream.renew(B, 40)
  await pause(10)
  fake.answer('11')
  expect(await other).toBe(5_000)
  await expect(late).rejects.toThrow('no renewal within 40 ms')
  expect(isClosed).toBe(false)
  // Its answer still comes, and is not taken for that of the next question.
  const next = stream.renew(A, 40)
  fake.answer('10', '1')
  fake.answer('10', '7')
  expect(await next).toBe(7_000)
})

test('a stream that answers nobody in time is ended for all', async () => {
  const first = stream.renew(A, 30)
  const second = stream.renew(B, 500)
  await expect(first).rejects.toThrow('no renewal within 30 ms')
  await expect(second).rejects.toThrow('no renewal within 30 ms')
  expect(isClosed).toBe(true)
  await expect(stream.renew(A, 30)).rejects.toThrow('no renewal')
})

test('answers of several renewals of one lease go to them in order', async () => {
  const both = [stream.renew(A, 100), stream.renew(A, 100)]
  fake.answer('10', '3')
  fake.answer('10', '4')
  expect(await Promise.all(both)).toEqual([3_000, 4_000])
})
