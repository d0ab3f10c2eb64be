import { describe, expect, test } from 'vitest'
import {
  endsBeforeItBegins,
  exportHref,
  fieldTime,
  filtersOf,
  isFiltered,
  isShortSearch,
  NO_PARAMS,
  readAuditParams,
  timeOfField,
  writeAuditParams,
} from './audit-params.ts'

const read = (text: string) => readAuditParams(new URLSearchParams(text))

describe('the address of the audit page', () => {
  test('keeps every filter, and says nothing of those that are not set', () => {
    expect(writeAuditParams(NO_PARAMS)).toBe('')
    const params = read(
      'q=deploy+4%262&verb=handoff&result=failed&cluster=eu&from=2026-07-03T10:00Z&to=2026-07-04T10:00Z',
    )
    expect(params).toEqual({
      query: 'deploy 4&2',
      verb: 'handoff',
      result: 'failed',
      cluster: 'eu',
      from: '2026-07-03T10:00:00.000Z',
      to: '2026-07-04T10:00:00.000Z',
    })
    expect(read(writeAuditParams(params).slice(1))).toEqual(params)
  })

  test('that names what is not there shows everything', () => {
    expect(read('result=maybe&from=yesterday&verb=')).toEqual(NO_PARAMS)
  })
})

test('a search too short to find anything is not asked for, and said to be', () => {
  const short = { ...NO_PARAMS, query: ' ab ' }
  expect([filtersOf(short), isShortSearch(short), isFiltered(short)]).toEqual([{}, true, false])
  const long = { ...NO_PARAMS, query: ' abc' }
  expect([filtersOf(long), isShortSearch(long), isFiltered(long)]).toEqual([{ search: 'abc' }, false, true])
})

test('an end before its beginning is not asked for, and said to be', () => {
  const from = '2026-07-03T10:00:00.000Z'
  const turned = { ...NO_PARAMS, from, to: '2026-07-03T09:00:00.000Z' }
  expect([filtersOf(turned), endsBeforeItBegins(turned)]).toEqual([{ from }, true])
  expect(endsBeforeItBegins({ ...turned, to: '2026-07-03T11:00:00.000Z' })).toBe(false)
})

test('an export has the filters of the page', () => {
  expect(exportHref('csv', NO_PARAMS)).toBe('/api/audit/export?format=csv')
  expect(exportHref('jsonl', { ...NO_PARAMS, query: 'a&b=c', result: 'refused' })).toBe(
    '/api/audit/export?format=jsonl&result=refused&search=a%26b%3Dc',
  )
})

test('a field of date and time is UTC', () => {
  expect(timeOfField('2026-07-03T10:01')).toBe('2026-07-03T10:01:00.000Z')
  expect(fieldTime('2026-07-03T10:01:00.000Z')).toBe('2026-07-03T10:01')
  expect([timeOfField(''), fieldTime(null)]).toEqual([null, ''])
})
