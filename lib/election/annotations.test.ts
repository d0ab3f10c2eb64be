import { expect, test } from 'vitest'
import { type Annotation, annotatedTerms } from './annotations.ts'
import type { Revision } from './types.ts'

const one = (id: number, part: Partial<Annotation>): Annotation => ({
  id: String(id),
  epoch: 0,
  token: '59' as Revision,
  kind: 'note',
  at: `2026-03-12T03:0${id}:00.000Z`,
  by: 'ada',
  text: `version ${id}`,
  ...part,
})

test('the newest note counts, with how many there were; the first acknowledgement stays', () => {
  const found = annotatedTerms([
    one(1, {}),
    one(2, { kind: 'acknowledged', text: '' }),
    one(3, { by: 'bo' }),
    one(4, { kind: 'acknowledged', text: '', by: 'bo' }),
  ])
  expect(found.get('0:59')).toEqual({
    note: { id: '3', text: 'version 3', at: '2026-03-12T03:03:00.000Z', by: 'bo' },
    noteVersion: '3',
    noteVersions: 2,
    acknowledged: { at: '2026-03-12T03:02:00.000Z', by: 'ada' },
  })
})

test('a note that was taken away is none, and still has a version to write after', () => {
  expect(annotatedTerms([one(1, {}), one(2, { text: '' })]).get('0:59')).toMatchObject({
    note: null,
    noteVersion: '2',
    noteVersions: 2,
  })
})

test('terms of two epochs with one token are two terms', () => {
  const found = annotatedTerms([one(1, {}), one(2, { epoch: 1 })])
  expect([...found.keys()]).toEqual(['0:59', '1:59'])
})
