/** An election and what instances say of themselves, for tests: made by the real reducer. */
import { base64FromLatin1 } from '../shared/bytes.ts'
import { type Instant, instant } from '../shared/clock.ts'
import type { ElectionChange, KeyPut, Said } from './changes.ts'
import { openElection, reduceElection } from './reducer.ts'
import type { Cluster, ElectionState, LeaseId, Revision } from './types.ts'

const T0 = Date.parse('2026-03-12T03:00:00.000Z')
/** `ms` after the start. */
export const at = (ms: number): Instant => instant(T0 + ms)
export const leaseOf = (token: number) => token.toString(16).padStart(16, '0') as LeaseId
export const rev = (token: number) => String(token) as Revision

export const CLUSTER: Cluster = {
  name: 'prod-eu',
  clusterId: '1',
  revision: rev(1_000),
  epoch: 0,
  freshness: 'live',
  asOf: at(0),
  quorum: true,
  watched: [],
  readOnly: false,
  members: [],
  probeP95Ms: null,
  raftTerm: '2',
  raftLeaderChanges: [],
  gaps: [],
  sampling: { leaders: 0, sampled: 0 },
}

/** A candidate whose key was created at revision `token`, on the lease of that number. */
export function key(token: number, more: Partial<KeyPut> = {}): KeyPut {
  const text = `/e/job/${token.toString(16)}`
  return {
    key: text,
    keyBase64: base64FromLatin1(text),
    identity: `w${token}`,
    valueBytes: 3,
    lease: leaseOf(token),
    createRevision: rev(token),
    modRevision: rev(token),
    nested: false,
    ...more,
  }
}

export function election(...tokens: number[]): ElectionState {
  return openElection({
    type: 'opened',
    at: at(0),
    revision: rev(100),
    live: true,
    layout: 'queue',
    prefix: '/e/job/',
    prefixBase64: base64FromLatin1('/e/job/'),
    confirmed: true,
    foundBy: 'test',
    epoch: 0,
    keys: tokens.map((token) => key(token)),
  }).state
}

export const having = (state: ElectionState, ...changes: readonly ElectionChange[]): ElectionState =>
  changes.reduce((before, change) => reduceElection(before, change).state, state)

let revision = 100
/** etcd showed at `ms` that these keys went and those came. */
export function shown(ms: number, gone: readonly number[], came: readonly number[] = []): ElectionChange {
  revision += 1
  return {
    type: 'revision',
    at: at(ms),
    revision: rev(revision),
    puts: came.map((token) => key(token)),
    deletes: gone.map((token) => key(token).keyBase64),
  }
}

interface Saying {
  instance?: string
  /** The term it claims; none when left out. */
  token?: number
  epoch?: number
  leftMs?: number
  state?: Said['state']
  lease?: LeaseId | null
}

export function said(ms: number, { instance = 'a', token, epoch = 0, leftMs = 6_000, ...more }: Saying): Said {
  const claims = token === undefined ? null : { epoch, revision: rev(token) }
  return {
    instance,
    identity: instance,
    lease: token === undefined ? null : leaseOf(token),
    state: claims === null ? 'waiting' : 'leading',
    token: claims,
    validUntil: claims === null ? null : at(ms + leftMs),
    reportedAt: at(ms),
    lastWorkAt: null,
    rejections: 0,
    missed: 0,
    ...more,
  }
}

/** A report that came at `ms`. */
export const heard = (ms: number, saying: Saying): ElectionChange => ({ type: 'claims', put: [said(ms, saying)] })
