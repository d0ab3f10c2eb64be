/** What a candidate of the library says of itself in etcd, on its own lease, at each change of its state. */
import { z } from 'zod'
import { fencingToken } from './epoch.ts'

export const CANDIDATE_STATES = ['waiting', 'leading', 'suspect', 'draining', 'stopped', 'lost'] as const
export const candidateState = z.enum(CANDIDATE_STATES)
/**
 * - `waiting`: in the queue, or about to be.
 * - `leading`: its work runs.
 * - `suspect`: it could not prove its leadership in time; its work is told to stop.
 * - `draining`: it gives the seat up once its work has ended.
 * - `stopped`: a kill switch holds it out of the queue.
 * - `lost`: out of the queue; its lease or key is gone, or it was told to end.
 */
export type CandidateState = z.infer<typeof candidateState>

/** Value of the key `<metaPrefix>presence/<prefix>/<lease in hex, not padded>`. */
export const presence = z.object({
  v: z.literal(1),
  identity: z.string(),
  state: candidateState,
  /** Of the term it leads or led last; null before its first. */
  token: fencingToken.nullable(),
  /** Nonces of the engaged switches it has stopped for. */
  switchNonces: z.array(z.string()),
  /** Why it gave its last seat up. */
  lastResign: z.object({ reason: z.string(), token: fencingToken }).nullable(),
  onMissingSwitch: z.enum(['run', 'halt']),
  metaPrefix: z.string(),
  client: z.string(),
  version: z.string(),
})
export type Presence = z.infer<typeof presence>
