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
