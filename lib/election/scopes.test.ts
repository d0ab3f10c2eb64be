import { describe, expect, it } from 'vitest'
import { base64FromLatin1 } from '../shared/bytes.ts'
import { type StandingSwitch, stoppedBy } from './scopes.ts'
import { standingSwitch } from './switches.ts'

const RECORD = { v: 1, state: 'engaged', reason: 'r', by: 'ann', operation: 'o', nonce: 'n', match: 'prefix' }
const TIMES = { at: '2026-01-01T00:00:00.000Z', until: '2026-01-01T01:00:00.000Z' }

function standing(scope: string, record: object | string = {}): StandingSwitch {
  const text = typeof record === 'string' ? record : JSON.stringify({ ...RECORD, ...TIMES, ...record })
  return standingSwitch({ scope, value: new TextEncoder().encode(text) })
}

const stops = (prefix: string, ...switches: StandingSwitch[]) => stoppedBy(base64FromLatin1(prefix), switches)?.scope

describe('the switch that stops an election', () => {
  it('is engaged, applies, and has the narrowest scope', () => {
    const [all, below, own] = [standing(''), standing('/jobs/'), standing('/jobs/a/', { match: 'exact' })]
    expect(stops('/jobs/a/', all, below, own)).toBe('/jobs/a/')
    expect(stops('/jobs/b/', all, below, own)).toBe('/jobs/')
    expect(stops('/other/', all, below, own)).toBe('')
    expect(stops('/other/', below, own)).toBeUndefined()
  })

  it('is none that was released', () => {
    expect(stops('/jobs/a/', standing('/jobs/', { state: 'released' }))).toBeUndefined()
  })

  it('is one that cannot be read, for everything below it', () => {
    const broken = standing('/jobs', 'off!')
    expect(broken).toMatchObject({ state: 'unreadable', match: 'prefix', record: null })
    expect(stops('/jobs/a/', broken)).toBe('/jobs')
    expect(stops('/jobsx/', broken)).toBeUndefined()
    expect(stops('/jobs/a/', standing('/jobs/', { v: 2 }))).toBe('/jobs/')
  })
})
