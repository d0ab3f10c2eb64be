import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ALERT_RULES } from '../../lib/election/alerts.ts'
import { ruleSettings } from '../config/alert-rules.ts'
import { SHIPPED, ThresholdBook } from './thresholds.ts'

describe('thresholds', () => {
  test('are the shipped ones where nothing is set', () => {
    expect(new ThresholdBook({ rules: {}, elections: [] }).of('/elections/a/')).toEqual(SHIPPED)
  })

  test('of a setting change it alone', () => {
    const book = new ThresholdBook({ rules: { flapping: { changes: 9 } }, elections: [] })
    expect(book.all.flapping).toEqual({ ...SHIPPED.flapping, changes: 9 })
    expect(book.all.leaderless).toEqual(SHIPPED.leaderless)
  })

  test('of the first pattern that fits lie over the others, whether the last slash is written or not', () => {
    const book = new ThresholdBook({
      rules: { leaderless: { severity: 'warning' } },
      elections: [
        { pattern: '/elections/billing/*', rules: { leaderless: { forMs: 0 } } },
        { pattern: '/elections/*/*/', rules: { leaderless: { off: true } } },
      ],
    })
    expect(book.of('/elections/billing/eu/').leaderless).toMatchObject({
      forMs: 0,
      isForSet: true,
      severity: 'warning',
    })
    expect(book.of('/elections/other/eu/').leaderless).toMatchObject({ off: true, isForSet: false })
    expect(book.of('/elections/x/').leaderless.off).toBe(false)
  })

  test('that the example names are the shipped ones, and every rule is there', () => {
    const example = readFileSync(join(import.meta.dirname, '..', '..', 'tenure.example.yaml'), 'utf8')
    const block = /^ {2}# rules:\n((?: {2}#.*\n)+)/m.exec(example)?.[1] ?? ''
    const rules = ruleSettings.parse(parse(block.replace(/^ {2}# /gm, '')))
    expect(Object.keys(rules).sort()).toEqual([...ALERT_RULES].sort())
    expect(new ThresholdBook({ rules, elections: [] }).all).toEqual(SHIPPED)
  })
})
