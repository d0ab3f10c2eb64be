import { describe, expect, it } from 'vitest'
import { ClusterView } from '../../lib/election/cluster-view.ts'
import { at, CLUSTER, opened, put } from '../election/fixture.ts'
import { rowsOf } from '../election/list-model.ts'
import { foundElections } from './command-search.ts'

const prefixes = ['/e/billing/settlement/', '/e/settle/', '/e/ops/old-settle/', '/e/other/']
const states = prefixes.map((prefix) => opened([put('settler', 10), put('b', 20)], 0, prefix))
const rows = rowsOf([{ view: new ClusterView(CLUSTER, states), freshness: 'live', frozenAt: null }], at(1), 1)
const found = (query: string) => foundElections(rows, query, 10).map(({ name }) => name)

describe('⌘K', () => {
  it('offers the exact name first, then beginnings, then the rest', () => {
    expect(found('settle')).toEqual(['settle', 'billing/settlement', 'ops/old-settle', 'other'])
  })

  it('offers everything before anything is typed, at most as many as asked for', () => {
    expect(found('')).toHaveLength(4)
    expect(foundElections(rows, '', 2)).toHaveLength(2)
  })
})
