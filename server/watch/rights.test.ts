import { describe, expect, test } from 'vitest'
import { fromLatin1 } from '../../lib/shared/bytes.ts'
import { rangeOf } from './list-keys.ts'
import { missingRights } from './rights.ts'

const WANTED = { watch: ['/el/', '/svc/'], metaPrefix: '/tenure/', readOnly: false }
const under = (...prefixes: string[]) => prefixes.map((prefix) => rangeOf(fromLatin1(prefix)))
const ALL = under('')
const key = (name: string) => ({ key: fromLatin1(name), end: fromLatin1(`${name}\0`) })

describe('what an account lacks', () => {
  test('is nothing where nothing is limited, or everything is granted', () => {
    expect(missingRights(WANTED, { read: null, write: null })).toEqual([])
    expect(missingRights(WANTED, { read: ALL, write: ALL })).toEqual([])
    const read = [...under('/el/', '/svc/', '/tenure/')]
    const write = [...under('/el/', '/svc/', '/tenure/switch/', '/tenure/handoff/'), key('/tenure/epoch')]
    expect(missingRights(WANTED, { read, write })).toEqual([])
  })

  test('is named with its prefix and with what cannot be done for it', () => {
    const read = [...under('/el/', '/tenure/')]
    const write = [...under('/svc/', '/tenure/handoff/'), key('/tenure/epoch')]
    expect(missingRights(WANTED, { read, write })).toEqual([
      'may not read all of /svc/: not all is shown',
      'may not write /tenure/switch/: no kill switch can be engaged from here',
      'may not write /el/: there no session can be revoked, no key removed and no head held',
    ])
    expect(missingRights(WANTED, { read: [], write: null })).toHaveLength(6)
    expect(missingRights(WANTED, { read: null, write: [] })).toHaveLength(5)
  })

  test('is no right to write where nothing is to be written', () => {
    expect(missingRights({ ...WANTED, readOnly: true }, { read: null, write: [] })).toEqual([])
  })

  test('is there when only a part of a prefix is granted, and not when two grants cover it', () => {
    const one = { ...WANTED, watch: ['/el/'], readOnly: true }
    const meta = under('/tenure/')
    expect(missingRights(one, { read: [...meta, ...under('/el/a')], write: null })).toHaveLength(1)
    const halves = [
      { key: fromLatin1('/el/'), end: fromLatin1('/el/m') },
      { key: fromLatin1('/el/m'), end: fromLatin1('/f') },
    ]
    expect(missingRights(one, { read: [...meta, ...halves], write: null })).toEqual([])
    expect(missingRights({ ...one, watch: [''] }, { read: meta, write: null })).toEqual([
      'may not read all of the whole key space: not all is shown',
    ])
  })
})
