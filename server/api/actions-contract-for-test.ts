/** What callers from outside are promised of actions (docs/api.md), written a second time and strict. */
import { z } from 'zod'
import { bytes, count, decimal, leaseHex, ms, time } from './contract-parts-for-test.ts'

const method = z.enum(['ask', 'revoke-session', 'remove-key'])
const words = z.string().min(1)

export const preflight = z.strictObject({
  token: z.string().regex(/^[\w-]{32}$/),
  validMs: ms,
  serverTime: time,
  action: z.enum(['handoff', 'remove-key']),
  cluster: z.string(),
  ref: z.string(),
  name: z.string(),
  leader: z.strictObject({
    ...bytes,
    identity: z.string(),
    lease: leaseHex.nullable(),
    createRevision: decimal,
    modRevision: decimal,
  }),
  term: z.strictObject({ ordinal: count.nullable(), epoch: count, token: decimal }),
  readAt: decimal,
  ttl: z.strictObject({ grantedMs: ms, remainingMs: ms }).nullable(),
  checks: z
    .array(
      z.strictObject({
        id: z.enum(['quorum', 'standby', 'current', 'in-flight', 'allowed', 'fencing']),
        is: z.enum(['pass', 'fail', 'unknown']),
        title: words,
        words,
      }),
    )
    .length(6),
  refusal: z.strictObject({ code: z.string(), why: words, fix: words }).nullable(),
  methods: z.array(z.strictObject({ method, offered: z.boolean(), why: words })).length(3),
  defaultMethod: method.nullable(),
  targets: z.array(
    z.strictObject({
      ...bytes,
      identity: z.string(),
      lease: leaseHex.nullable(),
      createRevision: decimal,
      place: count,
      isLibrary: z.boolean(),
      offered: z.boolean(),
      why: words,
    }),
  ),
  leaseKeys: z
    .strictObject({
      total: count,
      keys: z.array(
        z.strictObject({ ...bytes, election: z.strictObject({ ref: z.string(), name: z.string() }).nullable() }),
      ),
    })
    .nullable(),
  leaseKeysError: words.optional(),
  overlapMs: ms.nullable(),
  deadlineMs: ms,
  coolDown: z.strictObject({ operation: z.string(), by: z.string(), at: time, words }).nullable(),
})

const party = z.strictObject({ identity: z.string(), keyBase64: z.base64(), token: decimal })

export const operation = z.strictObject({
  id: z.string(),
  verb: z.string(),
  cluster: z.string(),
  ref: z.string().nullable(),
  by: words,
  reason: words,
  at: time,
  phases: z.array(
    z.strictObject({
      name: z.enum(['requested', 'draining', 'released', 'elected', 'acknowledged']),
      at: time.nullable(),
      evidence: words,
      known: z.enum(['etcd', 'reported', 'not yet', 'never']),
    }),
  ),
  outcome: z
    .strictObject({ is: z.enum(['verified', 'failed', 'unknown']), words, revision: decimal.nullable() })
    .nullable(),
  warnings: z.array(words),
  handoff: z
    .strictObject({
      method,
      from: party,
      to: party.nullable(),
      successor: party.nullable(),
      acknowledges: z.boolean(),
      overlapMs: ms.nullable(),
      deadlineMs: ms,
    })
    .optional(),
})

export const handoffs = z.strictObject({ serverTime: time, operations: z.array(operation) })
