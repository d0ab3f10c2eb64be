import { expect, test } from 'vitest'
import type { KeyValue, KvPort, RangeRequest } from '../../lib/election/ports.ts'
import type { Revision } from '../../lib/election/types.ts'
import { fromLatin1, latin1, utf8 } from '../../lib/shared/bytes.ts'
import { SwitchMemory } from './switch-memory.ts'
import { MOST, readSwitches } from './switch-watch.ts'

const AT = '2026-03-12T03:00:00.000Z'
const rev = (text: string) => text as Revision

/** An etcd with this many records, at another revision at each look that names none. */
function holding(count: number): { etcd: KvPort; asked: RangeRequest[] } {
  const asked: RangeRequest[] = []
  const names = Array.from({ length: count }, (_, at) => `/tenure/switch/${String(at).padStart(6, '0')}`)
  const range: KvPort['range'] = async (request) => {
    const { key, limit = count, at } = request
    asked.push(request)
    const from = latin1(key)
    const left = names.filter((name) => name >= from)
    const kvs = left.slice(0, limit).map(
      (name): KeyValue => ({
        key: fromLatin1(name),
        value: utf8('off!'),
        lease: null,
        createRevision: rev('2'),
        modRevision: rev('2'),
      }),
    )
    const revision = at ?? rev(String(10 + asked.length))
    return {
      header: { clusterId: '', memberId: '', revision, raftTerm: '1' },
      kvs,
      more: left.length > limit,
      endpoint: '',
    }
  }
  return { etcd: { range }, asked }
}
const read = (etcd: KvPort) => readSwitches({ etcd, metaPrefix: '/tenure/' }, new AbortController().signal)

test('records are read in pages at one revision, however many there are', async () => {
  const { etcd, asked } = holding(2_500)
  const { switches, revision, isPart } = await read(etcd)
  expect([switches.length, new Set(switches.map(({ scope }) => scope)).size, revision, isPart]).toEqual([
    2_500,
    2_500,
    '11',
    undefined,
  ])
  expect(asked.slice(1).map(({ at }) => at)).toEqual(asked.slice(1).map(() => '11'))
})

test.each([
  [MOST, undefined, []],
  [MOST + 1, true, ['too-many']],
] as const)('of %i records, what is left out is told', async (count, isPart, types) => {
  const found = await read(holding(count).etcd)
  expect([found.switches.length, found.isPart]).toEqual([MOST, isPart])
  const memory = new SwitchMemory()
  const only = { ...found, switches: [] }
  memory.take(only, AT)
  expect(memory.tell(AT).map(({ type }) => type)).toEqual(types)
  memory.take({ switches: [], revision: rev('99') }, AT)
  expect(memory.tell(AT)).toEqual([])
})
