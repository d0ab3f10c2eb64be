/**
 * The shapes that callers from outside are promised (docs/api.md), written a second time and strict,
 * so that a field that goes, comes or changes its type without the documentation fails a test.
 */
import { z } from 'zod'
import { alertsTold } from './alert-contract-for-test.ts'
import { bytes, count, decimal, leaseHex, ms, time } from './contract-parts-for-test.ts'

const lag = z.strictObject({ revision: decimal, reached: decimal })
export const gap = z.strictObject({ from: time, to: time, reason: z.string().min(1) })
const layout = z.enum(['queue', 'single-key'])

export const standingSwitch = z.strictObject({
  scope: z.string(),
  scopeBase64: z.base64(),
  state: z.enum(['engaged', 'released', 'unreadable']),
  match: z.enum(['exact', 'prefix']),
  modRevision: z.string().regex(/^\d+$/).optional(),
  record: z
    .strictObject({
      reason: z.string(),
      by: z.string(),
      at: time,
      until: time,
      nonce: z.string(),
      mode: z.enum(['cooperative', 'enforced']),
      log: z.array(
        z.strictObject({
          at: time,
          by: z.string(),
          operation: z.string(),
          what: z.enum(['engaged', 'engaged again', 'extended', 'released', 'armed']),
          reason: z.string(),
          until: time.nullable(),
        }),
      ),
      released: z
        .strictObject({
          at: time,
          by: z.string(),
          confirmedBy: z.string().optional(),
          reason: z.string(),
          operation: z.string(),
        })
        .optional(),
    })
    .nullable(),
})

export const stop = z.strictObject({
  scope: z.string(),
  scopeBase64: z.base64(),
  match: z.enum(['exact', 'prefix']),
  nonce: z.string(),
  by: z.string(),
  reason: z.string(),
  from: time,
  to: time.nullable(),
  ended: z.enum(['released', 'vanished']).nullable(),
  endedBy: z.string().nullable(),
})

export const cluster = z.strictObject({
  name: z.string(),
  /** Empty until etcd has answered once. */
  clusterId: z.union([decimal, z.literal('')]),
  revision: decimal,
  epoch: count,
  freshness: z.enum(['live', 'stale', 'unreachable']),
  asOf: time.nullable(),
  quorum: z.boolean(),
  reason: z.string().optional(),
  rolledBack: z.strictObject({ from: decimal, to: decimal, at: time }).optional(),
  watched: z.array(z.strictObject({ prefix: z.string(), prefixBase64: z.base64() })),
  readOnly: z.boolean(),
  members: z.array(
    z.strictObject({
      id: decimal,
      name: z.string(),
      isRaftLeader: z.boolean(),
      reachable: z.boolean(),
      probeRttMs: ms.nullable(),
      lag: lag.optional(),
      noRaftLeader: z.literal(true).optional(),
    }),
  ),
  probeP95Ms: ms.nullable(),
  raftTerm: decimal,
  raftLeaderChanges: z.array(time),
  gaps: z.array(gap),
  sampling: z.strictObject({ leaders: count, sampled: count }),
  historyError: z.string().optional(),
  switches: z.array(standingSwitch).optional(),
  switchesError: z.string().optional(),
  stops: z.array(stop).optional(),
  handingOff: z.array(z.string()).min(1).optional(),
  switchTroubles: z
    .array(
      z.strictObject({
        type: z.enum(['vanished', 'unreadable', 'rolled-back', 'overdue', 'too-many']),
        scope: z.string(),
        scopeBase64: z.base64(),
        at: time,
        words: z.string().min(1),
      }),
    )
    .optional(),
  missingRights: z.array(z.string().min(1)).min(1).optional(),
  alerts: alertsTold.optional(),
})

const member = z.strictObject({
  id: decimal,
  name: z.string(),
  endpoint: z.string(),
  version: z.string().regex(/^\d+\.\d+\.\d+/),
  isRaftLeader: z.boolean(),
  dbSize: count,
  dbSizeInUse: count,
  dbQuota: count.nullable(),
  alarms: z.array(z.string()),
  probeRttMs: ms.nullable(),
  revision: decimal,
  raftTerm: decimal,
  lag: lag.optional(),
  noRaftLeader: z.literal(true).optional(),
  error: z.string().optional(),
})

export const clustersList = z.strictObject({ serverTime: time, clusters: z.array(cluster) })
export const clustersHealth = cluster.extend({ serverTime: time, members: z.array(member) })

export const clustersIncidents = z.strictObject({
  serverTime: time,
  incidents: z.array(
    z.strictObject({
      from: time,
      to: time,
      kind: z.enum(['lease', 'mass']),
      leases: z.array(leaseHex),
      elections: z.array(z.string()),
    }),
  ),
})

export const clustersConditions = z.strictObject({
  serverTime: time,
  conditions: z.array(
    z.strictObject({
      kind: z.enum(['raft-leader', 'no-quorum', 'slow-probe', 'alarm']),
      subject: z.string(),
      from: time,
      to: time.nullable(),
      words: z.string().min(1).optional(),
      raftTerm: decimal.optional(),
    }),
  ),
  gaps: z.array(gap),
  stops: z.array(stop),
})

const ttl = z.strictObject({
  grantedMs: ms,
  remainingMs: ms,
  asOf: time,
  renewedAt: time.optional(),
  refilledAt: time.optional(),
})
const candidateFields = {
  ...bytes,
  identity: z.string().max(200),
  valueBytes: count,
  lease: leaseHex.nullable(),
  createRevision: decimal,
  modRevision: decimal,
  since: time,
  sinceAtLeast: z.boolean(),
  ttl: ttl.nullable(),
}
const claimFields = {
  instance: z.string().min(1),
  identity: z.string().max(200),
  lease: leaseHex.nullable(),
  state: z.enum(['waiting', 'leading', 'suspect', 'draining', 'stopped', 'lost']),
  since: time.nullable(),
  validUntil: time.nullable(),
  reportedAt: time,
  lastWorkAt: time.nullable(),
  rejections: count,
  missed: count,
}
const reason = z.enum(['same-token', 'term-ended', 'other-lease', 'never-led'])
const claim = z.strictObject({
  ...claimFields,
  epoch: count.nullable(),
  token: decimal.nullable(),
  ordinal: count.nullable(),
  verdict: z.enum(['contradicts', 'unverified', 'outdated', 'lapsed', 'unaware', 'agrees']),
  reason: reason.nullable(),
})
const candidate = z.strictObject({ ...candidateFields, ttlDenied: z.boolean(), claim: claim.optional() })

const cause = z.enum([
  'resigned or removed',
  'lease lost',
  'expired',
  'handed off',
  'revoked',
  'kill switch',
  'store rolled back',
  'unobserved',
])
const endedBy = z.strictObject({
  cause,
  by: z.string().optional(),
  evidence: z.string().min(1),
  duringStop: z.literal(true).optional(),
})

const note = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('leader-without-lease') }),
  z.strictObject({ type: z.literal('identity-shared'), identity: z.string(), candidates: count }),
  z.strictObject({ type: z.literal('blocked'), key: z.string(), createRevision: decimal }),
  z.strictObject({ type: z.literal('ttl-denied') }),
  z.strictObject({ type: z.literal('held'), by: z.string() }),
])

export const election = z.strictObject({
  cluster: z.string(),
  ref: z.string().regex(/^[qk]~[A-Za-z0-9_-]+$/),
  prefix: z.string(),
  prefixBase64: z.base64(),
  name: z.string(),
  layout,
  kind: z.enum(['election', 'mutex', 'unconfirmed']),
  status: z.enum([
    'unconfirmed',
    'unknown',
    'dual-claim',
    'stopped',
    'leaderless',
    'flapping',
    'at-risk',
    'no-standby',
    'handing-off',
    'healthy',
  ]),
  leader: candidate.nullable(),
  nextUp: candidate.nullable(),
  candidateCount: count,
  term: z
    .strictObject({ ordinal: count, epoch: count, token: decimal, since: time, sinceAtLeast: z.boolean() })
    .nullable(),
  lastChange: endedBy.extend({ at: time }).nullable(),
  stopped: standingSwitch.nullable(),
  leaderlessSince: time.nullable(),
  foundBy: z.string().min(1),
  notes: z.array(note),
})

export const electionsList = z.strictObject({
  serverTime: time,
  clusters: z.array(cluster),
  elections: z.array(election),
})
export const electionsGet = election.extend({
  candidates: z.array(candidate),
  claims: z.array(claim),
  dualClaim: z
    .strictObject({
      since: time,
      claimants: z.array(
        z.strictObject({ instance: z.string(), identity: z.string(), epoch: count, token: decimal, reason }),
      ),
    })
    .nullable(),
  leaseKeys: z.array(z.strictObject(bytes)).nullable(),
})
export const electionsValue = z.discriminatedUnion('found', [
  z.strictObject({ found: z.literal(false) }),
  z.strictObject({ found: z.literal(true), bytes: count, text: z.string(), base64: z.base64() }),
])

const term = z.strictObject({
  ordinal: count,
  epoch: count,
  token: decimal,
  leader: z.strictObject({ ...bytes, identity: z.string(), lease: leaseHex.nullable() }),
  from: time,
  fromAtLeast: z.boolean(),
  to: time.nullable(),
  gapMs: ms.nullable(),
  takeoverMs: ms.nullable(),
  silentMs: ms.nullable(),
  refillMs: ms.optional(),
  endedBy: endedBy.nullable(),
})
const anatomy = z.strictObject({
  detectMs: ms.nullable(),
  detectErrorMs: ms.optional(),
  refillMs: ms.optional(),
  vacancyMs: ms.nullable(),
  takeoverMs: ms.nullable(),
})

export const electionsTerms = z.strictObject({
  terms: z.array(term.extend({ anatomy: anatomy.optional() })),
  gaps: z.array(gap),
  stops: z.array(stop),
  nextCursor: z.string().optional(),
})

const moment = { at: time, revision: decimal }
const who = { identity: z.string(), keyBase64: z.base64(), lease: leaseHex.nullable() }
export const event = z.discriminatedUnion('type', [
  z.strictObject({ ...moment, type: z.literal('candidate-joined'), ...who }),
  z.strictObject({ ...moment, type: z.literal('candidate-left'), ...who }),
  z.strictObject({ ...moment, type: z.literal('term-started'), term }),
  z.strictObject({ ...moment, type: z.literal('term-ended'), term }),
  z.strictObject({ ...moment, type: z.literal('term-explained'), term }),
  z.strictObject({ ...moment, type: z.literal('proclaimed'), identity: z.string(), was: z.string() }),
  z.strictObject({
    ...moment,
    type: z.literal('lease-changed'),
    identity: z.string(),
    was: leaseHex.nullable(),
    lease: leaseHex.nullable(),
  }),
  z.strictObject({ ...moment, type: z.literal('blocked'), key: z.string() }),
  z.strictObject({ ...moment, type: z.literal('gap'), gap, changed: z.boolean() }),
])
export const electionsEvents = z.strictObject({ events: z.array(event), nextCursor: z.string().optional() })

export const electionsRenewals = z.strictObject({
  bucketMs: ms,
  series: z.array(
    z.strictObject({
      source: z.enum(['holder', 'probe', 'margin', 'missed']),
      identity: z.string().optional(),
      member: z.string().optional(),
      buckets: z.array(z.strictObject({ from: time, count, p50: ms, p95: ms, p99: ms, min: ms, max: ms })),
    }),
  ),
})

export const state = z.strictObject({
  ref: z.string(),
  layout,
  prefix: z.string(),
  prefixBase64: z.base64(),
  confirmed: z.boolean(),
  foundBy: z.string(),
  epoch: count,
  revision: decimal,
  candidates: z.array(z.strictObject({ ...candidateFields, nested: z.boolean(), ttlDenied: z.boolean().optional() })),
  term: term.nullable(),
  ended: z.array(term),
  gaps: z.array(gap),
  failovers: z.array(time),
  leaderlessSince: time.nullable(),
  lastOrdinal: count,
  valuesEmpty: z.boolean(),
  claims: z.array(
    z.strictObject({
      ...claimFields,
      token: z.strictObject({ epoch: count, revision: decimal }).nullable(),
      lateSince: time.nullable(),
    }),
  ),
})
const frame = { id: z.string().regex(/^[0-9a-f]{12}-\d+$/), serverTime: time }

export const liveFrame = z.discriminatedUnion('type', [
  z.strictObject({
    ...frame,
    type: z.literal('snapshot'),
    reason: z.enum(['first', 'unknown-id', 'behind']),
    build: z.string(),
    clusters: z.array(z.strictObject({ info: cluster, elections: z.array(state) })),
  }),
  z.strictObject({
    ...frame,
    type: z.literal('change'),
    changes: z.array(
      z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('cluster'), cluster: z.string(), info: cluster }),
        z.strictObject({
          type: z.literal('election'),
          cluster: z.string(),
          ref: z.string(),
          change: z.looseObject({
            type: z.enum([
              'opened',
              'revision',
              'relisted',
              'lease',
              'lease-denied',
              'cause',
              'confirmed',
              'rolled-back',
              'claims',
            ]),
          }),
        }),
        z.strictObject({ type: z.literal('forgotten'), cluster: z.string(), ref: z.string() }),
      ]),
    ),
  }),
  z.strictObject({ ...frame, type: z.literal('heartbeat'), clusters: z.array(cluster) }),
])

export const errorAnswer = z.strictObject({
  error: z.strictObject({
    message: z.string().min(1),
    code: z.int().negative(),
    data: z.strictObject({ code: z.string(), httpStatus: z.int(), path: z.string().optional() }),
  }),
})
