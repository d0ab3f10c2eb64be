import { expect, it } from 'vitest'
import type { LeaseId } from '../election/types.ts'
import { latin1, utf8 } from '../shared/bytes.ts'
import { Keys, spanOf, spanOfKey } from './keys.ts'
import type { Settings } from './options.ts'

const lease = '000000000000abcd' as LeaseId
const keysOf = (layout: Settings['layout'], prefix: string) =>
  new Keys({ layout, prefix, metaPrefix: '/tenure/' } as Settings)
const text = ({ key, end }: { key: Uint8Array; end: Uint8Array }) => [latin1(key), latin1(end)]

it('ends a prefix before the first key that does not begin with it', () => {
  expect(text(spanOf('a/'))).toEqual(['a/', 'a0'])
  expect(text(spanOf('a\u00ff'))).toEqual(['a\u00ff', 'b'])
  expect(text(spanOf('\u00ff\u00ff'))).toEqual(['\u00ff\u00ff', '\u0000'])
  expect(text(spanOfKey(utf8('a')))).toEqual(['a', 'a\u0000'])
})

it('names the keys of a queue by the lease as Go does, without padding', () => {
  const keys = keysOf('queue', 'job/')
  expect(latin1(keys.own(lease))).toBe('job/abcd')
  expect(text(keys.seats)).toEqual(['job/', 'job0'])
  expect(latin1(keys.presence(lease))).toBe('/tenure/presence/job//abcd')
  expect(latin1(keys.handoff)).toBe('/tenure/handoff/job/')
  expect(text(keys.switches)).toEqual(['/tenure/switch/', '/tenure/switch0'])
  expect(text(keys.meta)).toEqual(['/tenure/', '/tenure0'])
  expect(latin1(keys.epoch)).toBe('/tenure/epoch')
})

it('takes a single key as it is', () => {
  const keys = keysOf('single-key', 'job')
  expect(latin1(keys.own(lease))).toBe('job')
  expect(text(keys.seats)).toEqual(['job', 'job\u0000'])
  expect(latin1(keys.presence(lease))).toBe('/tenure/presence/job/abcd')
})
