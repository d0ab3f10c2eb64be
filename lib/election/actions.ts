/** What is asked of an action and what comes of it, as the server answers and pages show it. */
import type { Instant } from '../shared/clock.ts'
import type { Refusal, RefusalCode } from './policy.ts'
import type { StandingSwitch, SwitchMatch, SwitchMode } from './scopes.ts'
import type { LeaseId, Revision } from './types.ts'

export const HANDOFF_METHODS = ['ask', 'revoke-session', 'remove-key'] as const
export type HandoffMethod = (typeof HANDOFF_METHODS)[number]

export { SWITCH_MODES, type SwitchMode } from './scopes.ts'

/** Why an action was refused although the role would allow it: nothing was written to etcd. */
export const ACTION_REFUSALS = [
  /** The one-time token is unknown, used, expired, or of somebody else, another action or election. */
  'token',
  /** What was seen is not what is: `expected` and `is` say both. */
  'changed',
  'method-not-offered',
  'target-not-offered',
  /** A handoff less than two minutes after another one, which was not acknowledged. */
  'cool-down',
  'reason-missing',
  'name-not-typed',
  'until',
  'scope-matches-nothing',
  'not-engaged',
  'second-person',
  /** The operation id was used for something else. */
  'operation-reused',
  /** It could not be recorded, so it was not done. */
  'not-recorded',
  'unknown-election',
  /** Keys of Kubernetes are looked at, and nothing else. */
  'kubernetes',
  /** etcd could not be asked what is: nothing was sent. */
  'etcd',
] as const
export type ActionRefusalCode = (typeof ACTION_REFUSALS)[number]

/** A refusal by policy or by an action itself. */
export interface ActionRefusal {
  code: RefusalCode | ActionRefusalCode
  why: string
  fix: string
  expected?: string
  is?: string
}

/**
 * - `verified`: a linearizable read showed the effect.
 * - `failed`: it is certain that it did not happen, or was refused by etcd.
 * - `unknown`: no answer yet tells which; it is asked until known.
 */
export const OUTCOMES = ['verified', 'failed', 'unknown'] as const
export interface Outcome {
  is: (typeof OUTCOMES)[number]
  /** In a sentence, with what shows it. */
  words: string
  /** At which the effect was written, or its absence read. */
  revision: Revision | null
}

export const PHASES = ['requested', 'draining', 'released', 'elected', 'acknowledged'] as const
export interface Phase {
  name: (typeof PHASES)[number]
  /** null: not yet. Server's time. */
  at: Instant | null
  /** How it is known, or what is waited for. */
  evidence: string
  /** Read in etcd, said by the candidate, or not known (so far). */
  known: 'etcd' | 'reported' | 'not yet' | 'never'
}

/** One thing that somebody did or is doing, as its own page and the dialog follow it. */
export interface Operation {
  /** Made by the client: the same id is the same operation. */
  id: string
  verb: string
  cluster: string
  ref: string | null
  by: string
  reason: string
  at: Instant
  phases: readonly Phase[]
  /** null while it is under way. */
  outcome: Outcome | null
  /** What whoever acted must know: a former holder that may still act, a lease left alone, an incomplete record. */
  warnings: readonly string[]
  /** Of a handoff. */
  handoff?: HandoffFacts
}

/** Somebody by the key that leads or led. */
export interface HandoffParty {
  identity: string
  keyBase64: string
  /** Create revision: the token it leads or led with. */
  token: Revision
}

export interface HandoffFacts {
  method: HandoffMethod
  from: HandoffParty
  /** Who was asked for; null leaves it to the queue. */
  to: HandoffParty | null
  /** Who leads in its place, as soon as etcd shows it. */
  successor: HandoffParty | null
  /** It uses the candidate library, so that it can acknowledge. */
  acknowledges: boolean
  /** For how long a Go client may go on after its lease was revoked; null where the TTL is not known. */
  overlapMs: number | null
  /** How long it has to answer. */
  deadlineMs: number
}

/** The key and lease that lead, as an action may be bound to them. */
export interface SeenLeader {
  identity: string
  key: string
  keyBase64: string
  lease: LeaseId | null
  createRevision: Revision
  modRevision: Revision
}

/** What a one-time token is for. Removing the key binds to its mod revision as well. */
export const HANDOFF_ACTIONS = ['handoff', 'remove-key'] as const
export type HandoffAction = (typeof HANDOFF_ACTIONS)[number]

/** How long a request to the leader stands, unless another time is asked for. */
export const HANDOFF_DEADLINE_MS = 30_000
/** Less than this after a handoff, the next one of the same election needs that one acknowledged. */
export const COOL_DOWN_MS = 120_000

/** One thing that was looked at before acting. `unknown` is never success. */
export interface PreflightCheck {
  id: 'quorum' | 'standby' | 'current' | 'in-flight' | 'allowed' | 'fencing'
  is: 'pass' | 'fail' | 'unknown'
  title: string
  words: string
}

export interface OfferedMethod {
  method: HandoffMethod
  offered: boolean
  /** Why it is offered or not, in a sentence. */
  why: string
}

/** Somebody who waits, as a request may name them to lead next. */
export interface HandoffTarget {
  identity: string
  key: string
  keyBase64: string
  lease: LeaseId | null
  createRevision: Revision
  /** 2 is next in the queue. */
  place: number
  /** Its presence key shows the candidate library. */
  isLibrary: boolean
  offered: boolean
  why: string
}

/** A key that goes when the leader's lease does. */
export interface LeaseKey {
  key: string
  keyBase64: string
  /** The election it is a candidate of; null where Tenure sees none. */
  election: { ref: string; name: string } | null
}

/** What was read in etcd, and what may be done on condition that it still is so. */
export interface HandoffPreflight {
  /** Good once, for whoever asked, for `validMs` from `serverTime`. */
  token: string
  validMs: number
  serverTime: Instant
  action: HandoffAction
  cluster: string
  ref: string
  name: string
  leader: SeenLeader
  /** `ordinal` is null where Tenure has not seen this term begin to be one. */
  term: { ordinal: number | null; epoch: number; token: Revision }
  /** Of the linearizable read. */
  readAt: Revision
  ttl: { grantedMs: number; remainingMs: number } | null
  checks: readonly PreflightCheck[]
  /** Why the policy would refuse it now; null when it would not. */
  refusal: Refusal | null
  methods: readonly OfferedMethod[]
  /** null: none is offered without more thought. */
  defaultMethod: HandoffMethod | null
  /** In queue order; empty for a single key, whose standbys leave no trace. */
  targets: readonly HandoffTarget[]
  /** The first 50 of everything on the leader's lease besides its key; null where etcd did not tell. */
  leaseKeys: { total: number; keys: readonly LeaseKey[] } | null
  /** Why `leaseKeys` is null. */
  leaseKeysError?: string
  /** For how long a Go client may go on after its lease was revoked: a third of the TTL. null: not known. */
  overlapMs: number | null
  deadlineMs: number
  /** The newest handoff of this election, less than two minutes ago: it has to be acknowledged. */
  coolDown: { operation: string; by: string; at: Instant; words: string } | null
}

/** Who leads, or leads next, where a stop would come. */
export interface ForecastCandidate {
  identity: string
  keyBase64: string
  /** Its presence key shows the candidate library: it reads the switch and acknowledges. */
  acknowledges: boolean
}

export interface ForecastElection {
  ref: string
  name: string
  leader: ForecastCandidate | null
  nextUp: ForecastCandidate | null
  candidates: number
  /** Of these, by presence. */
  acknowledging: number
  /** A foreign waiter that would lead when the library leader before it stops: the first in the queue. */
  foreignNext: string | null
}

/** What a stop of a scope would meet, as it stands now. */
export interface SwitchForecast {
  scope: string
  scopeBase64: string
  match: SwitchMatch
  /** What has to be typed: the election's name, the scope, or the cluster's name for everything. */
  typedName: string
  revision: Revision
  /** A record of exactly this scope. */
  standing: StandingSwitch | null
  electionCount: number
  /** The first 200. */
  elections: readonly ForecastElection[]
  candidates: number
  acknowledging: number
  proposes: SwitchMode
  /** Why this mode, in a sentence. */
  because: string
  /** etcd is out of space, so that no record can be written: who would stop if the record of the scope were deleted. */
  outOfSpace: { stops: readonly string[]; of: number } | null
}

/**
 * - `stopped`: it acknowledged this engaging, by the nonce in its presence.
 * - `stopping`: the library, but no acknowledgement yet.
 * - `cannot acknowledge`: no presence, so nothing is known; treat it as running.
 */
export const STOP_STATES = ['stopped', 'stopping', 'cannot acknowledge'] as const
export interface StoppedCandidate {
  identity: string
  lease: LeaseId | null
  state: (typeof STOP_STATES)[number]
  /** Its key is still first in the queue. */
  hasSeat: boolean
}

export interface StoppedElection {
  ref: string
  name: string
  /** Enforced: its head is held by a key without a lease. */
  held: boolean
  candidates: readonly StoppedCandidate[]
  /** What could not be done, such as a lease that holds something else and was left alone. */
  warnings: readonly string[]
}

/** Whether a stop has come to everybody, read in etcd now. */
export interface SwitchProof {
  scopeBase64: string
  nonce: string
  revision: Revision
  mode: SwitchMode
  acknowledged: number
  of: number
  /** The first 200. */
  elections: readonly StoppedElection[]
  electionCount: number
  /** Somebody asked for the release and waits for a second person. */
  releaseAskedBy: { name: string; at: Instant; reason: string; isYou: boolean } | null
}
