import { describe, expect, test } from 'vitest'
import type { AlertRule } from '../../lib/election/alerts.ts'
import { CLUSTER } from '../../lib/election/claims-for-test.ts'
import type { StandingSwitch } from '../../lib/election/scopes.ts'
import { clusterGoesOn, electionGoesOn, type Sight } from './goes-on.ts'

const clear: Sight = {
  cluster: { ...CLUSTER, switches: [] },
  isSeen: true,
  wasSeen: true,
  knowsAlarms: true,
  knowsCertificates: true,
}
const released = { scope: '/e/', state: 'released' } as StandingSwitch

describe('what was not found', () => {
  test.each<[AlertRule, Partial<Sight>, boolean]>([
    ['quorum-lost', {}, false],
    ['quorum-lost', { isSeen: false, wasSeen: false }, true],
    ['store-rolled-back', { isSeen: false, wasSeen: false }, true],
    ['view-stale', { isSeen: false, wasSeen: false }, false],
    ['etcd-alarm', {}, false],
    ['etcd-alarm', { knowsAlarms: false }, true],
    ['etcd-alarm', { isSeen: false }, true],
    ['certificate-expiring', {}, false],
    ['certificate-expiring', { knowsCertificates: false }, true],
    ['mass-event', { cluster: CLUSTER }, false],
    ['mass-event', { isSeen: false }, true],
    ['switch-overdue', {}, false],
    ['switch-overdue', { cluster: CLUSTER }, true],
    ['switch-vanished', {}, true],
    ['switch-vanished', { cluster: { ...CLUSTER, switches: [released] } }, false],
  ])('%s with %o goes on: %s', (rule, sight, expected) => {
    expect(clusterGoesOn({ rule, subject: '/e/' }, { ...clear, ...sight })).toBe(expected)
  })

  test.each<[AlertRule, number, boolean]>([
    ['leaderless', 0, false],
    ['dual-claim', 1_000, true],
    ['dual-claim', 30_000, false],
    ['renewal-slow', 200_000, true],
    ['renewal-slow', 300_000, false],
  ])('%s of an election seen for %i ms goes on: %s', (rule, ms, expected) => {
    expect(electionGoesOn({ rule }, { seenForMs: ms, isLed: true })).toBe(expected)
  })

  test('of a leader goes on while nobody leads', () => {
    for (const rule of ['no-standby', 'lease-margin'] as const) {
      expect(electionGoesOn({ rule }, { seenForMs: 1e9, isLed: false })).toBe(true)
      expect(electionGoesOn({ rule }, { seenForMs: 1e9, isLed: true })).toBe(false)
    }
  })
})
