import { describe, expect, test } from 'vitest'
import { ALERT_RULES, type AlertBrief, type AlertsTold } from '../../lib/election/alerts.ts'
import { edgeOfAlert, glyphOf, RULE_WORDS, ruleWords } from './alert-glyph.ts'
import { attentionItems } from './attention-items.ts'
import { STATUS_WORDS } from './status-words.ts'

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
const told = (...worst: AlertBrief[]): AlertsTold => ({ version: 1, critical: 0, warning: 0, unacknowledged: 0, worst })
const ids = (items: AlertBrief[] | null) => items?.map(({ id }) => id)

describe('the items of the strip', () => {
  test('the worst of all clusters, firing before pending, critical before warning', () => {
    const eu = told(
      alert('pending', { stage: 'pending' }),
      alert('slow', { rule: 'renewal-slow', severity: 'warning' }),
    )
    const us = told(alert('quorum', { rule: 'quorum-lost', cluster: 'us' }))
    expect(ids(attentionItems([eu, us], 5))).toEqual(['quorum', 'slow', 'pending'])
  })

  test('what concerns Tenure as a whole comes with each cluster, and is there once', () => {
    const whole = alert('disk', { rule: 'history-unwritten', cluster: null })
    expect(ids(attentionItems([told(whole), told(whole, alert('job'))], 5))).toEqual(['job', 'disk'])
  })

  test('silenced ones stand after all others, even after pending warnings', () => {
    const silenced = alert('hushed', { rule: 'dual-claim', silenced: true })
    const pending = alert('soon', { rule: 'no-standby', severity: 'warning', stage: 'pending' })
    expect(ids(attentionItems([told(silenced, pending)], 5))).toEqual(['soon', 'hushed'])
  })

  test('no more than there is room for', () => {
    expect(attentionItems([told(alert('a'), alert('b'), alert('c'))], 2)).toHaveLength(2)
  })

  test('until every cluster has told its alerts nothing is known, which is not the same as nothing', () => {
    expect(attentionItems([], 5)).toBeNull()
    expect(attentionItems([told(alert('a')), undefined], 5)).toBeNull()
    expect(attentionItems([told()], 5)).toEqual([])
  })
})

describe('how alerts look', () => {
  test('every rule has a word and the glyph of a status', () => {
    for (const rule of ALERT_RULES) {
      expect(STATUS_WORDS[glyphOf(rule)]).toBeDefined()
      expect(ruleWords(rule)).toMatch(/^[A-Ze]/)
    }
    expect(new Set(Object.values(RULE_WORDS)).size).toBe(ALERT_RULES.length)
  })

  test('where the list has a status for it the strip says the same word', () => {
    for (const rule of ['dual-claim', 'leaderless', 'flapping', 'no-standby'] as const) {
      expect(ruleWords(rule)).toBe(STATUS_WORDS[rule])
    }
    expect(ruleWords('lease-margin')).toBe(STATUS_WORDS['at-risk'])
  })

  test('a quiet one keeps its edge and has no tint', () => {
    expect(edgeOfAlert('critical', false)).toContain('bg-tint-crit')
    expect(edgeOfAlert('critical', true)).toBe('edge edge-crit')
    expect(edgeOfAlert('warning', true)).toBe('edge edge-warn')
  })
})
