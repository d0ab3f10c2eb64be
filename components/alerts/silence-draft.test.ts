import { describe, expect, test } from 'vitest'
import { alertOf, NOW, refFor } from './fixture.ts'
import { draftOf, fitting, inputOf, missingIn, type SilenceDraft, untilOf } from './silence-draft.ts'

const draft = (more: Partial<SilenceDraft> = {}): SilenceDraft => ({
  ...draftOf(null, null),
  comment: 'known',
  ...more,
})

test('it begins with what the alert is about', () => {
  expect(draftOf(alertOf(), 'us')).toMatchObject({
    cluster: 'eu',
    rule: 'leaderless',
    pattern: '/elections/billing/settlement/',
    comment: '',
  })
  const { ref: _, ...whole } = alertOf({ rule: 'history-unwritten', cluster: null })
  expect(draftOf(whole, 'us')).toMatchObject({ cluster: '', rule: 'history-unwritten', pattern: '' })
  expect(draftOf(null, 'us')).toMatchObject({ cluster: 'us', rule: '', pattern: '' })
})

test('a prefix that is not text is written as it is shown', () => {
  expect(draftOf(alertOf({ ref: refFor('/e/\xff/') }), null).pattern).toBe('/e/\\xff/')
})

describe('until when', () => {
  test.each([
    ['30', '', '2026-03-12T03:42:47.000Z'],
    ['1440', '', '2026-03-13T03:12:47.000Z'],
    ['time', '05:30', '2026-03-12T05:30:00.000Z'],
    ['time', '02:00 UTC', '2026-03-13T02:00:00.000Z'],
    ['time', '2026-03-14 09:00', '2026-03-14T09:00:00.000Z'],
    ['time', 'tomorrow', null],
    ['time', '25:00', null],
  ] as const)('%s %s', (length, time, until) => {
    expect(untilOf({ length, time }, NOW)).toBe(until)
  })
})

test('what is missing is said, one thing at a time', () => {
  expect(missingIn(draft(), NOW)).toBeNull()
  expect(missingIn(draft({ comment: ' ' }), NOW)).toBe('Say why, for whoever looks later.')
  expect(missingIn(draft({ length: 'time' }), NOW)).toBe('Say until when.')
  expect(missingIn(draft({ length: 'time', time: 'soon' }), NOW)).toMatch(/^“soon” is no time\./)
  expect(missingIn(draft({ length: 'time', time: '2026-03-11 09:00' }), NOW)).toMatch(/has passed/)
})

test('what is left out is not sent: it fits everything', () => {
  const until = '2026-03-12T05:30:00.000Z'
  expect(inputOf(draft(), until)).toEqual({ until, comment: 'known' })
  expect(inputOf(draft({ cluster: 'eu', rule: 'flapping', pattern: ' /e/* ' }), until)).toEqual({
    until,
    comment: 'known',
    cluster: 'eu',
    rule: 'flapping',
    pattern: '/e/*',
  })
})

test('it shows which alerts it would fit', () => {
  const own = alertOf()
  const other = alertOf({ id: 'a2', cluster: 'us', ref: refFor('/elections/billing/audit/') })
  const { ref: _, ...whole } = alertOf({ id: 'a3', rule: 'quorum-lost' })
  const all = [own, other, whole]
  expect(fitting(draft(), all)).toEqual(all)
  expect(fitting(draft({ cluster: 'us' }), all)).toEqual([other])
  expect(fitting(draft({ rule: 'quorum-lost' }), all)).toEqual([whole])
  // A pattern is about elections, whether or not it ends with a slash.
  expect(fitting(draft({ pattern: '/elections/billing/*' }), all)).toEqual([own, other])
  expect(fitting(draft({ pattern: '/elections/*/audit/' }), all)).toEqual([other])
  expect(fitting(draft({ pattern: '/elections/*' }), all)).toEqual([])
})
