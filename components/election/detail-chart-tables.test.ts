import { describe, expect, test } from 'vitest'
import type { RenewalSeries } from '../../lib/election/series.ts'
import { msOf } from '../../lib/shared/clock.ts'
import { tableCsv } from '../charts/chart-table.ts'
import { chartModel } from './detail-chart-model.ts'
import { failoverTable, marginTable, rttTable, termTable } from './detail-chart-tables.ts'
import { later, open, put, step } from './detail-fixtures.ts'
import { mergeTerms } from './detail-merge.ts'

const a = put({ identity: '=a', create: 1 })
const b = put({ identity: 'b', create: 2 })
const span = { fromMs: msOf(later(-60)), toMs: msOf(later(60)) }

/** `=a` leads until 30 s, then `b`; from 40 s to 50 s nothing was seen. */
const state = step(open({ keys: [a, b], live: false }), { at: 30, revision: 11, deletes: [a], lost: true }).state
const stop = { scope: '', scopeBase64: '', match: 'prefix' as const, nonce: 'n', by: 'ann', reason: 'deploy' }
const model = chartModel({
  state,
  terms: mergeTerms(state, []),
  gaps: [{ from: later(40), to: later(50), reason: 'cut off' }],
  stops: [{ ...stop, from: later(55), to: null, ended: null, endedBy: null }],
  frozen: null,
  endMs: msOf(later(60)),
})

const bucket = (s: number, value: number) => ({
  from: later(s),
  count: 3,
  p50: value,
  p95: value,
  p99: value,
  min: value,
  max: value,
})
const series: RenewalSeries[] = [
  { source: 'holder', identity: 'b', buckets: [bucket(35, 4.123456)] },
  { source: 'probe', member: 'etcd-1', buckets: [bucket(-90, 1), bucket(0, 1), bucket(60, 1)] },
  { source: 'missed', identity: 'b', buckets: [bucket(36, 1)] },
  { source: 'margin', identity: 'b', buckets: [bucket(35, 61)] },
]
const renewals = { model, series, bucketMs: 10_000, span }

describe('the panels of an election as tables', () => {
  test('terms, with what was not seen and what was stopped between them, by time', () => {
    const { columns, rows } = termTable(model, span)
    const cells = rows.map((row) => [row[0], row[1], row[2], row[6], row[columns.indexOf('Ended by')], row.at(-1)])
    expect(cells).toEqual([
      ['unobserved', later(-60), later(0), null, null, 'Tenure had not looked yet'],
      ['term, began before', later(0), later(30), '=a', 'lease lost', 'its lease is gone'],
      ['term', later(30), null, 'b', null, null],
      ['unobserved', later(40), later(50), null, null, 'cut off'],
      ['kill switch', later(55), null, null, null, 'by ann: deploy'],
    ])
    for (const row of rows) expect(row).toHaveLength(columns.length)
  })

  test('renewals of the range by their source; what was only counted has no times, and what is not there is no row', () => {
    const { columns, rows } = rttTable(renewals)
    expect(rows.map((row) => [row[0], row[2], row[3], row[4], row[5]])).toEqual([
      [later(-60), 'unobserved', 'Tenure had not looked yet', null, null],
      [later(0), 'probe', 'etcd-1', 3, 1],
      [later(35), 'holder', 'b', 3, 4.123],
      [later(36), 'missed', 'b', 3, null],
      [later(40), 'unobserved', 'cut off', null, null],
    ])
    for (const row of rows) expect(row).toHaveLength(columns.length)
    expect(columns).toContain('p99 (ms)')
  })

  test('margins in per cent of the TTL', () => {
    const { columns, rows } = marginTable(renewals)
    expect(rows.filter((row) => row[2] === 'margin').map((row) => row.at(-2))).toEqual([61])
    expect(columns.at(-2)).toBe('Least (% of TTL)')
  })

  test('failovers with their parts; a part that nobody knows is missing, not zero', () => {
    const { columns, rows } = failoverTable(model, span)
    const [row = []] = rows.filter((each) => each[1] !== null)
    expect(Object.fromEntries(columns.map((name, at) => [name, row[at]]))).toMatchObject({
      'Next leader from (UTC)': later(30),
      Term: 2,
      'Leader, or why not': 'b',
      'Detect (ms)': null,
      'Vacancy (ms)': 0,
      'Takeover (ms)': null,
    })
    expect(rows).toHaveLength(3)
  })

  test('of a range before everything have only what was not seen', () => {
    const before = { fromMs: msOf(later(-60)), toMs: msOf(later(-30)) }
    expect(termTable(model, before).rows).toHaveLength(1)
    expect(rttTable({ ...renewals, span: before }).rows).toHaveLength(1)
    expect(failoverTable(model, before).rows).toHaveLength(1)
  })

  test('as CSV name their units, and leave formulas without effect', () => {
    const [head, , first] = tableCsv(termTable(model, span)).split('\r\n')
    expect(head).toMatch(/^What,From \(UTC\),.*Without a leader before \(ms\)/)
    expect(first).toContain(",'=a,")
  })
})
