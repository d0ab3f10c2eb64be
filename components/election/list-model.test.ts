import { describe, expect, it } from 'vitest'
import { ClusterView } from '../../lib/election/cluster-view.ts'
import type { ElectionState } from '../../lib/election/types.ts'
import { at, CLUSTER, cause, having, opened, put, step } from './fixture.ts'
import { countsOf, rowsOf, type SeenView, shownRows, worstRows } from './list-model.ts'
import { inOrderOf, movedCount, sorted } from './list-order.ts'
import { readParams, writeParams } from './list-params.ts'

const pair = (prefix: string) => opened([put('worker-a', 10), put('worker-b', 20)], 0, prefix)
const alone = (prefix: string) => opened([put('only', 10)], 0, prefix)
const gone = (prefix: string) => {
  const a = put('worker-a', 10)
  return having(opened([a], 0, prefix), step(200, 30, [], [a]), cause(a, { cause: 'expired', evidence: 'test' }))
}

function live(states: readonly ElectionState[], more: Partial<SeenView> = {}): SeenView[] {
  return [{ view: new ClusterView(CLUSTER, states), freshness: 'live', frozenAt: null, ...more }]
}
const byStatus = { key: 'status', reversed: false } as const
const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name)

describe('rows of the list', () => {
  it('stand worst first and by name in numeric order within a status', () => {
    const rows = rowsOf(live([pair('/e/b10/'), pair('/e/b2/'), alone('/e/c/'), gone('/e/d/')]), at(40), 1)
    expect(names(sorted(rows, byStatus))).toEqual(['d', 'c', 'b2', 'b10'])
    expect(names(sorted(rows, { key: 'election', reversed: true }))).toEqual(['d', 'c', 'b10', 'b2'])
  })

  it('have full prefixes where two short names are the same', () => {
    const rows = rowsOf(live([pair('/e/job/'), pair('/e/job//'), pair('/e/other/')]), at(40), 1)
    expect(names(rows)).toEqual(['/e/job/', '/e/job//', 'other'])
  })

  it('are the same objects while nothing changes, and new ones when it does', () => {
    const views = live([pair('/e/a/'), gone('/e/b/')])
    const before = rowsOf(views, at(40), 1)
    expect(rowsOf(views, at(40), 1)[0]).toBe(before[0])
    const stale = views.map((seen) => ({ ...seen, freshness: 'stale' as const, frozenAt: at(40) }))
    expect(rowsOf(stale, at(41), 1).map(({ status, lastKnown }) => [status, lastKnown])).toEqual([
      ['unknown', 'healthy'],
      ['unknown', 'leaderless'],
    ])
  })

  it('follow a kill switch and a handoff at once, although the election itself has not changed', () => {
    const state = pair('/e/a/')
    const [seen] = live([state])
    if (seen === undefined) throw new Error('no view')
    const status = (info: Partial<typeof CLUSTER>) => {
      seen.view.info = { ...CLUSTER, ...info }
      return rowsOf([seen], at(40), 1)[0]?.status
    }
    const held = { scope: '', scopeBase64: '', state: 'unreadable', match: 'prefix', record: null } as const
    expect(status({})).toBe('healthy')
    expect(status({ handingOff: [state.ref] })).toBe('handing-off')
    expect(status({ switches: [held] })).toBe('stopped')
    expect(status({})).toBe('healthy')
  })

  it('get their full prefix when another election of the same short name appears', () => {
    const first = pair('/e/job/')
    const [seen] = live([first])
    if (seen === undefined) throw new Error('no view')
    expect(names(rowsOf([seen], at(40), 1))).toEqual(['job'])
    const both = live([first, pair('/e/job//')])
    expect(names(rowsOf(both, at(40), 2))).toEqual(['/e/job/', '/e/job//'])
  })

  it('turn leaderless by time alone, two seconds after the seat was freed', () => {
    const a = put('worker-a', 10)
    const views = live([having(opened([a]), step(200, 30, [], [a]))])
    expect(rowsOf(views, at(30.01), 1)[0]?.status).toBe('healthy')
    expect(rowsOf(views, at(30.05), 1)[0]?.status).toBe('leaderless')
  })

  it('are found by prefix, name or candidate, each word of its own', () => {
    const rows = rowsOf(live([pair('/e/billing/settle/'), alone('/e/notify/')]), at(40), 1)
    expect(names(shownRows(rows, 'all', 'WORKER-B settle'))).toEqual(['billing/settle'])
    expect(names(shownRows(rows, 'attention', ''))).toEqual(['notify'])
    expect(shownRows(rows, 'healthy', 'only')).toEqual([])
  })

  it('are counted by status', () => {
    const counts = countsOf(rowsOf(live([pair('/e/a/'), alone('/e/b/'), gone('/e/c/')]), at(40), 1))
    expect(counts).toEqual({ all: 3, attention: 2, by: { healthy: 1, 'no-standby': 1, leaderless: 1 } })
  })

  it('give the worst of what was last known when nothing is live', () => {
    const views = live([pair('/e/a/'), alone('/e/b/'), gone('/e/c/')], { freshness: 'stale', frozenAt: at(40) })
    expect(names(worstRows(rowsOf(views, at(50), 1), 5))).toEqual(['c', 'b'])
  })
})

describe('a held order', () => {
  const rows = rowsOf(live(['a', 'b', 'c', 'd'].map((name) => pair(`/e/${name}/`))), at(40), 1)
  const ids = rows.map(({ id }) => id)

  it('keeps rows where they are, drops the gone and appends the new', () => {
    const held = inOrderOf([ids[2], 'gone', ids[0]] as string[], rows)
    expect(names(held)).toEqual(['c', 'a', 'b', 'd'])
  })

  it('counts a row that went to the top as one move', () => {
    expect(movedCount(inOrderOf([ids[1], ids[2], ids[3], ids[0]] as string[], rows), rows)).toBe(1)
    expect(movedCount(rows, rows)).toBe(0)
  })
})

describe('the address of a list', () => {
  it('is plain for the plain list and keeps the rest', () => {
    expect(writeParams(readParams(new URLSearchParams()))).toBe('')
    const text = '?cluster=prod-eu&status=no-standby&q=bill+x&sort=-failovers'
    expect(writeParams(readParams(new URLSearchParams(text)))).toBe(text)
  })

  it('reads nonsense as the default', () => {
    expect(writeParams(readParams(new URLSearchParams('?status=nope&sort=-nope&q=')))).toBe('')
  })
})
