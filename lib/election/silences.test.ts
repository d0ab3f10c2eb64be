import { describe, expect, test } from 'vitest'
import type { Silence } from './alerts.ts'
import { refOf } from './ids.ts'
import { fits } from './silences.ts'

const alert = {
  cluster: 'eu',
  rule: 'leaderless',
  ref: refOf('queue', '/elections/billing/settlement/'),
  subject: 'billing/settlement',
} as const
const { ref: _, ...ofCluster } = { ...alert, rule: 'quorum-lost' as const, subject: 'eu' }

describe('a silence', () => {
  test.each<[Pick<Silence, 'cluster' | 'rule' | 'pattern'>, boolean]>([
    [{ cluster: 'eu' }, true],
    [{ cluster: 'us' }, false],
    [{ rule: 'leaderless' }, true],
    [{ rule: 'flapping' }, false],
    [{ pattern: '/elections/billing/settlement/' }, true],
    [{ pattern: '/elections/billing/settlement' }, true],
    [{ pattern: '/elections/*/settlement' }, true],
    [{ pattern: 'billing/settlement' }, true],
    [{ pattern: 'billing/*' }, true],
    [{ pattern: '/elections/*' }, false],
    [{ pattern: 'settlement' }, false],
    [{ cluster: 'eu', rule: 'leaderless', pattern: 'billing/*' }, true],
    [{ cluster: 'us', rule: 'leaderless', pattern: 'billing/*' }, false],
  ])('of %o fits: %s', (silence, expected) => expect(fits(silence, alert)).toBe(expected))

  test('with a pattern fits nothing that is about no election', () => {
    expect(fits({ pattern: 'eu' }, ofCluster)).toBe(false)
    expect(fits({ cluster: 'eu' }, ofCluster)).toBe(true)
  })
})
