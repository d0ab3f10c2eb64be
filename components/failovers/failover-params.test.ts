import { expect, it } from 'vitest'
import { filtersOf, readFailoverParams, refetchMsOf, writeFailoverParams } from './failover-params.ts'

const read = (search: string) => readFailoverParams(new URLSearchParams(search))

it('is the last 24 hours, live, of everything, when the address says nothing or nonsense', () => {
  for (const search of ['', 'range=soon&end=soon&cause=boredom']) {
    expect(read(search)).toMatchObject({ range: { id: '24h' }, end: null, text: '', cause: null, all: false })
  }
})

it('survives a round trip, with the parameters of others', () => {
  const search = '?cluster=eu&range=7d&end=2026-03-12T02%3A00%3A00.000Z&q=bill&cause=lease+lost&all=1'
  expect(writeFailoverParams(read(search))).toBe(search)
  expect(writeFailoverParams(read('range=24h'))).toBe('')
})

it('asks for what is chosen, and only for that', () => {
  const span = { fromMs: 0, toMs: 3_600_000 }
  const range = { cluster: 'eu', from: '1970-01-01T00:00:00.000Z', to: '1970-01-01T01:00:00.000Z' }
  expect(filtersOf(read('q=%20'), 'eu', span)).toEqual(range)
  expect(filtersOf(read('q=%20bill&cause=expired'), 'eu', span)).toEqual({
    ...range,
    text: 'bill',
    causes: ['expired'],
  })
})

it('asks less often for what is longer', () => {
  const often = ['1h', '24h', '7d', '30d'].map((range) => refetchMsOf(read(`range=${range}`).range))
  expect(often).toEqual([3_000, 5_000, 15_000, 60_000])
})
