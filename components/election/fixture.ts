/** Elections for unit tests of views, made by the real reducer. */
import type { ElectionChange, KeyPut } from '../../lib/election/changes.ts'
import { openElection, reduceElection } from '../../lib/election/reducer.ts'
import type { Cluster, ElectionState, EndedBy, LeaseId, Revision } from '../../lib/election/types.ts'
import { type Instant, instant } from '../../lib/shared/clock.ts'

export const T0 = Date.parse('2026-03-12T03:00:00.000Z')
export const at = (minutes: number): Instant => instant(T0 + minutes * 60_000)

export function put(identity: string, revision: number, more: Partial<KeyPut> = {}): KeyPut {
  const key = `/e/job/${revision.toString(16)}`
  return {
    key,
    keyBase64: btoa(key),
    identity,
    valueBytes: identity.length,
    lease: revision.toString(16) as LeaseId,
    createRevision: String(revision) as Revision,
    modRevision: String(revision) as Revision,
    nested: false,
    ...more,
  }
}

export const CLUSTER: Cluster = {
  name: 'prod-eu',
  clusterId: '1',
  revision: '1000' as Revision,
  epoch: 0,
  freshness: 'live',
  asOf: at(60),
  quorum: true,
  watched: [{ prefix: '/e/', prefixBase64: btoa('/e/') }],
  readOnly: false,
  members: [],
  probeP95Ms: 5,
  raftTerm: '2',
  raftLeaderChanges: [],
  sampling: { leaders: 0, sampled: 0 },
  gaps: [],
}

export function opened(keys: readonly KeyPut[], minutes = 0, prefix = '/e/job/'): ElectionState {
  return openElection({
    type: 'opened',
    at: at(minutes),
    revision: '100' as Revision,
    live: false,
    layout: 'queue',
    prefix,
    prefixBase64: btoa(prefix),
    confirmed: true,
    foundBy: 'test',
    epoch: 0,
    keys,
  }).state
}

export function having(state: ElectionState, ...changes: readonly ElectionChange[]): ElectionState {
  return changes.reduce((before, change) => reduceElection(before, change).state, state)
}

/** One revision's puts and deletes, `minutes` after the start. */
export function step(revision: number, minutes: number, puts: readonly KeyPut[], gone: readonly KeyPut[]) {
  return {
    type: 'revision',
    at: at(minutes),
    revision: String(revision) as Revision,
    puts,
    deletes: gone.map(({ keyBase64 }) => keyBase64),
  } as const
}

export function cause(put: KeyPut, endedBy: EndedBy): ElectionChange {
  return { type: 'cause', token: put.createRevision, endedBy }
}
