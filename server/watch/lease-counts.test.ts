import { describe, expect, it } from 'vitest'
import { instant } from '../../lib/shared/clock.ts'
import { type LeaseCounts, parseLeaseCounts, proofBetween, type Reading } from './lease-counts.ts'

const page = ({ ended = 7, expired = 3, leads = 1, started = '1.7e+09' } = {}) => `
# HELP etcd_debugging_lease_revoked_total The total number of revoked leases.
# TYPE etcd_debugging_lease_revoked_total counter
etcd_debugging_lease_revoked_total ${ended}
etcd_debugging_server_lease_expired_total ${expired}
etcd_server_id{server_id="aacb98c8c6a59969"} 1
etcd_server_is_leader ${leads}
etcd_server_leader_changes_seen_total 2
etcd_server_proposals_failed_total 0
process_start_time_seconds ${started}
`
const counts: LeaseCounts = {
  ended: 7,
  expired: 3,
  isRaftLeader: true,
  raftLeaderChanges: 2,
  failedProposals: 0,
  startedAt: 1.7e9,
}
const reading = (second: number, part: Partial<LeaseCounts> = {}, url = 'http://a/metrics'): Reading => ({
  url,
  counts: { ...counts, ...part },
  at: instant(Date.parse('2026-03-12T03:12:00Z') + second * 1_000),
})
const before = reading(1)

describe('a metrics page', () => {
  it('is read for what it counts of leases', () => {
    expect(parseLeaseCounts(page())).toEqual(counts)
    expect(parseLeaseCounts(page({ leads: 0 }))?.isRaftLeader).toBe(false)
  })

  it('that lacks a counter, or is none, is not guessed at', () => {
    expect(parseLeaseCounts(page().replace('etcd_server_is_leader', 'etcd_is_leader'))).toBeNull()
    expect(parseLeaseCounts(page().replace('expired_total 3', 'expired_total'))).toBeNull()
    expect(parseLeaseCounts('<html>not found</html>')).toBeNull()
  })
})

describe('two readings', () => {
  it('prove expiry where every lease that ended expired', () => {
    expect(proofBetween(before, reading(6, { ended: 9, expired: 5 }))).toEqual({
      cause: 'expired',
      words: 'all 2 leases that ended between 03:12:01 and 03:12:06 UTC expired',
    })
    expect(proofBetween(before, reading(6, { ended: 8, expired: 4 }))?.words).toBe(
      'the only lease that ended between 03:12:01 and 03:12:06 UTC expired',
    )
  })

  it('prove a revoke where none expired', () => {
    expect(proofBetween(before, reading(6, { ended: 8 }))).toEqual({
      cause: 'lease lost',
      words:
        'etcd let none expire between 03:12:01 and 03:12:06 UTC: it was revoked, by its holder or by somebody else',
    })
  })

  it.each<[string, Reading]>([
    ['some expired and some did not', reading(6, { ended: 9, expired: 4 })],
    ['none ended', reading(6)],
    ['more expired than ended', reading(6, { ended: 8, expired: 5 })],
    ['the member was restarted', reading(6, { ended: 8, expired: 4, startedAt: 1.8e9 })],
    ['its counters went back', reading(6, { ended: 1, expired: 1 })],
    ['the etcd raft leader changed and came back', reading(6, { ended: 8, expired: 4, raftLeaderChanges: 4 })],
    ['it leads no more', reading(6, { ended: 8, isRaftLeader: false })],
    ['another member leads', reading(6, { ended: 8, expired: 4 }, 'http://b/metrics')],
    ['a write timed out', reading(6, { ended: 8, failedProposals: 1 })],
  ])('prove nothing when %s', (_, after) => {
    expect(proofBetween(before, after)).toBeNull()
  })
})
