/** Made-up elections with everything that rules and metrics look at. */
import type { Said } from '../../../lib/election/changes.ts'
import { openElection, reduceElection } from '../../../lib/election/reducer.ts'
import type { Cluster, ElectionState, LeaseId, Revision } from '../../../lib/election/types.ts'
import { instant } from '../../../lib/shared/clock.ts'

const CANDIDATES = 3

export const clusterOf = (nowMs: number): Cluster => ({
  name: 'bench',
  clusterId: '1',
  revision: '5000000' as Revision,
  epoch: 0,
  freshness: 'live',
  asOf: instant(nowMs),
  quorum: true,
  watched: [{ prefix: '/elections/', prefixBase64: btoa('/elections/') }],
  readOnly: false,
  members: [],
  probeP95Ms: 5,
  raftTerm: '2',
  raftLeaderChanges: [],
  sampling: { leaders: 0, sampled: 0 },
  gaps: [],
  switches: [],
})

const claimOf = (index: number, lease: LeaseId, nowMs: number): Said => ({
  instance: `instance-${index}`,
  identity: `worker-${index}-1`,
  lease,
  state: 'leading',
  token: { epoch: 0, revision: BigInt(`0x${lease}`).toString() as Revision },
  validUntil: instant(nowMs + 600_000),
  reportedAt: instant(nowMs),
  lastWorkAt: null,
  rejections: 0,
  missed: 0,
})

const claimed = (index: number, lease: LeaseId, nowMs: number) =>
  ({ type: 'claims', put: [claimOf(index, lease, nowMs)] }) as const

/** With leases looked up, one ended term, and a leader that reports: everything that has a series. */
export function electionAt(index: number, nowMs: number, lostMs: number | null = 30_000): ElectionState {
  const prefix = `/elections/team-${index % 40}/job-${index}/`
  const keys = Array.from({ length: CANDIDATES }, (_, place) => {
    const number = 1_000 + index * CANDIDATES + place
    const key = `${prefix}${number.toString(16)}`
    return {
      key,
      keyBase64: btoa(key),
      identity: `worker-${index}-${place}`,
      valueBytes: 12,
      lease: number.toString(16).padStart(16, '0') as LeaseId,
      createRevision: String(number) as Revision,
      modRevision: String(number) as Revision,
      nested: false,
    }
  })
  const opened = openElection({
    type: 'opened',
    at: instant(nowMs - 3_600_000),
    revision: '5000' as Revision,
    live: true,
    layout: 'queue',
    prefix,
    prefixBase64: btoa(prefix),
    confirmed: true,
    foundBy: 'key ends in its own lease id',
    epoch: 0,
    keys,
  }).state
  const second = keys[1]
  const sample = { grantedMs: 15_000, remainingMs: 11_000, asOf: instant(nowMs) }
  if (lostMs === null) {
    const leader = keys[0]?.lease as LeaseId
    return [{ type: 'lease', lease: leader, sample } as const, claimed(index, leader, nowMs)].reduce<ElectionState>(
      (state, change) => reduceElection(state, change).state,
      opened,
    )
  }
  return [
    { type: 'lease', lease: second?.lease as LeaseId, sample } as const,
    {
      type: 'revision',
      at: instant(nowMs - lostMs),
      revision: '6000' as Revision,
      puts: [],
      deletes: [keys[0]?.keyBase64 ?? ''],
    } as const,
    {
      type: 'cause',
      token: keys[0]?.createRevision as Revision,
      endedBy: { cause: 'lease lost', evidence: 'gone' },
    } as const,
    claimed(index, second?.lease as LeaseId, nowMs),
  ].reduce<ElectionState>((state, change) => reduceElection(state, change).state, opened)
}
