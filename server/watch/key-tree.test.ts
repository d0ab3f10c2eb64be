import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Revision } from '../../lib/election/types.ts'
import { type KeyRecord, KeyTree } from './key-tree.ts'

const record: KeyRecord = {
  identity: '',
  valueBytes: 0,
  lease: null,
  createRevision: '1' as Revision,
  modRevision: '1' as Revision,
}

const segment = fc.constantFrom('', 'a', 'b', 'ab', '\xff')
const key = fc.array(segment, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'))

test('a key of a hundred thousand segments is a key like any other', () => {
  const tree = new KeyTree()
  const deep = `/el/${'/'.repeat(100_000)}x`
  tree.set(deep, record)
  tree.set('/el/a', record)
  expect([...tree.under('/el/')].map(([name]) => name.length).sort()).toEqual([5, deep.length].sort())
  tree.delete(deep)
  expect([...tree.under('')].map(([name]) => name)).toEqual(['/el/a'])
})

test('holds what a flat map holds, under every directory and after any deletes', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.boolean()), { maxLength: 60 }), key, (writes, under) => {
      const tree = new KeyTree()
      const flat = new Set<string>()
      for (const [name, present] of writes) {
        if (present) {
          tree.set(name, record)
          flat.add(name)
        } else {
          tree.delete(name)
          flat.delete(name)
        }
      }
      expect(tree.size).toBe(flat.size)
      const directory = `${under}/`
      const expected = (prefix: string) => [...flat].filter((name) => name.startsWith(prefix)).sort()
      expect([...tree.under(directory)].map(([name]) => name).sort()).toEqual(expected(directory))
      expect([...tree.startingWith(under)].map(([name]) => name).sort()).toEqual(expected(under))
    }),
  )
})
