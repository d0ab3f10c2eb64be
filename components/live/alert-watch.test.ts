import { describe, expect, test } from 'vitest'
import type { AlertBrief, AlertsTold } from '../../lib/election/alerts.ts'
import { loudOnes, unacknowledgedOf } from './alert-counts.ts'
import { AlertWatch } from './alert-watch.ts'
import { storedClaims } from './stored-claims.ts'

const alert = (id: string, more: Partial<AlertBrief> = {}): AlertBrief => ({
  id,
  rule: 'leaderless',
  severity: 'critical',
  stage: 'firing',
  cluster: 'eu',
  subject: id,
  since: '2026-03-12T03:12:06.000Z',
  sinceApproximate: false,
  summary: `${id} has no leader`,
  detail: '',
  acknowledged: false,
  silenced: false,
  ...more,
})

function memory() {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  }
}

function tab(claims = storedClaims(() => memory(), undefined)) {
  const shown: string[] = []
  const state = { isOn: true, isHidden: true }
  const watch = new AlertWatch({
    claims,
    isOn: () => state.isOn,
    isHidden: () => state.isHidden,
    show: ({ id }) => shown.push(id),
    wait: () => Promise.resolve(),
  })
  return { watch, shown, state }
}

describe('a hidden tab', () => {
  test('tells what begins to fire, once', async () => {
    const { watch, shown } = tab()
    await watch.observe([])
    await watch.observe([alert('a')])
    await watch.observe([alert('a'), alert('b')])
    await watch.observe([])
    await watch.observe([alert('a')])
    expect(shown).toEqual(['a', 'b'])
  })

  test('tells nothing of what fired before it was opened', async () => {
    const { watch, shown } = tab()
    await watch.observe([alert('old')])
    await watch.observe([alert('old'), alert('new')])
    expect(shown).toEqual(['new'])
  })

  test('tells nothing of what fired before somebody asked for it', async () => {
    const { watch, shown, state } = tab()
    state.isOn = false
    await watch.observe([])
    await watch.observe([alert('before')])
    state.isOn = true
    await watch.observe([alert('before'), alert('after')])
    expect(shown).toEqual(['after'])
  })
})

test('a tab that is looked at tells nothing, and what it showed no other tab tells', async () => {
  const store = memory()
  const seen = tab(storedClaims(() => store, undefined))
  const hidden = tab(storedClaims(() => store, undefined))
  seen.state.isHidden = false
  await Promise.all([seen.watch.observe([]), hidden.watch.observe([])])
  // The hidden one hears of it first.
  await Promise.all([hidden.watch.observe([alert('a')]), seen.watch.observe([alert('a')])])
  expect([seen.shown, hidden.shown]).toEqual([[], []])
})

test('two hidden tabs of one browser tell it once', async () => {
  const store = memory()
  const tabs = [tab(storedClaims(() => store, undefined)), tab(storedClaims(() => store, undefined))]
  await Promise.all(tabs.map(({ watch }) => watch.observe([])))
  await Promise.all(tabs.map(({ watch }) => watch.observe([alert('a')])))
  expect(tabs.flatMap(({ shown }) => shown)).toEqual(['a'])
})

test('without a place to keep it, and with rubbish in it, each tab still tells once', async () => {
  const broken = () => {
    throw new Error('storage is off')
  }
  const rubbish = { getItem: () => '{"not":"a list"}', setItem: () => {} }
  for (const claims of [storedClaims(broken, undefined), storedClaims(() => rubbish, undefined)]) {
    const { watch, shown } = tab(claims)
    await watch.observe([])
    await watch.observe([alert('a')])
    await watch.observe([alert('a')])
    expect(shown).toEqual(['a'])
  }
})

test('what is kept of it does not grow without end', async () => {
  const store = memory()
  const claims = storedClaims(() => store, undefined)
  await claims.claim(Array.from({ length: 1_000 }, (_, at) => `alert-${at}`))
  expect(JSON.parse(store.getItem('tenure-told-alerts') ?? '').length).toBe(200)
  expect(await claims.claim(['alert-999', 'alert-new'])).toEqual(['alert-new'])
})

describe('over several clusters', () => {
  const told = (unacknowledged: number, ...worst: AlertBrief[]): AlertsTold => ({
    version: 1,
    critical: 0,
    warning: 0,
    unacknowledged,
    worst,
  })
  const wide = alert('disk', { cluster: null, rule: 'history-unwritten' })

  test('what concerns Tenure as a whole counts once', () => {
    expect(unacknowledgedOf([told(2, wide, alert('a')), told(1, wide)])).toBe(2)
    expect(unacknowledgedOf([told(3), undefined])).toBe(3)
    expect(unacknowledgedOf([])).toBe(0)
  })

  test('silenced, acknowledged and pending ones are not loud', () => {
    const quiet = [alert('s', { silenced: true }), alert('k', { acknowledged: true }), alert('p', { stage: 'pending' })]
    expect(loudOnes([told(1, alert('a'), ...quiet), told(1, wide), told(1, wide)]).map(({ id }) => id)).toEqual([
      'a',
      'disk',
    ])
  })
})
