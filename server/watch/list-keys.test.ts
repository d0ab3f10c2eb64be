import { describe, expect, test } from 'vitest'
import type { KvPort, RangeRequest } from '../../lib/election/ports.ts'
import type { Revision } from '../../lib/election/types.ts'
import { listKeys, nextPageSize, rangeOf } from './list-keys.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')

describe('the range of a prefix', () => {
  test('ends at the next prefix, also after 0xff bytes, and an empty prefix is everything', () => {
    expect(Buffer.from(rangeOf(bytes('/a/')).end).toString('latin1')).toBe('/a0')
    expect(Buffer.from(rangeOf(bytes('a\xff\xff')).end).toString('latin1')).toBe('b')
    expect([...rangeOf(bytes('\xff')).end]).toEqual([0])
    expect([...rangeOf(bytes('')).key]).toEqual([0])
  })
})

describe('pages', () => {
  test('double while they are light and halve when heavy, between 1 and 4,096', () => {
    expect(nextPageSize(128, 1_000)).toBe(256)
    expect(nextPageSize(4_096, 1_000)).toBe(4_096)
    expect(nextPageSize(4_096, 5 * 1024 * 1024)).toBe(2_048)
    expect(nextPageSize(1, 5 * 1024 * 1024)).toBe(1)
  })

  test('are all read at the revision of the first, and none is read twice', async () => {
    const keys = Array.from({ length: 1_000 }, (_, n) => `/k/${String(n).padStart(4, '0')}`)
    const asked: RangeRequest[] = []
    const kv: KvPort = {
      range: async (request) => {
        asked.push(request)
        const from = Buffer.from(request.key).toString('latin1')
        const there = keys.filter((name) => name >= from)
        const page = there.slice(0, request.limit)
        const kvs = page.map((name) => ({
          key: bytes(name),
          value: bytes('v'),
          lease: null,
          createRevision: '1' as Revision,
          modRevision: '1' as Revision,
        }))
        // The store moves on while the pages are read.
        const header = { clusterId: '1', memberId: '1', raftTerm: '1', revision: String(40 + asked.length) as Revision }
        return { header, kvs, more: there.length > page.length, endpoint: 'e' }
      },
    }
    const read: string[] = []
    for await (const page of listKeys(kv, rangeOf(bytes('/k/')), { deadlineMs: 1_000 })) {
      read.push(...page.kvs.map(({ key }) => Buffer.from(key).toString('latin1')))
    }
    expect(read).toEqual(keys)
    expect(asked.map(({ at }) => at)).toEqual([undefined, '41', '41', '41'])
    expect(asked.map(({ limit }) => limit)).toEqual([128, 256, 512, 1_024])
  })
})
