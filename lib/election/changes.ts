import type { Instant } from '../shared/clock.ts'
import type {
  Claim,
  Cluster,
  ElectionRef,
  ElectionState,
  EndedBy,
  Gap,
  HeldBy,
  Layout,
  LeaseId,
  LeaseSample,
  Revision,
  Term,
} from './types.ts'

/** A key as it is after a revision. */
export interface KeyPut {
  key: string
  keyBase64: string
  identity: string
  valueBytes: number
  lease: LeaseId | null
  createRevision: Revision
  modRevision: Revision
  nested: boolean
  held?: HeldBy
}

/** What an earlier run knew of the election. */
export interface Seed {
  lastOrdinal: number
  openTerm: Term | null
  ended: readonly Term[]
  gaps: readonly Gap[]
  failovers: readonly Instant[]
}

/** Everything that can happen to an election, as the reducer takes it. */
export type ElectionChange =
  /** First sight. `live` when an event made it, so that its times are exact. */
  | {
      type: 'opened'
      at: Instant
      revision: Revision
      live: boolean
      layout: Layout
      prefix: string
      prefixBase64: string
      confirmed: boolean
      foundBy: string
      epoch: number
      keys: readonly KeyPut[]
      seed?: Seed
      /** The time before, in which nobody watched. */
      unseen?: Gap
      /** The seed is of a store that has been rolled back since, from this revision. */
      rolledBackFrom?: Revision
    }
  /** All that one revision did under the prefix: never split. */
  | {
      type: 'revision'
      at: Instant
      revision: Revision
      puts: readonly KeyPut[]
      /** keyBase64 of each deleted key. */
      deletes: readonly string[]
      /** It came after a time in which nothing was seen: when it happened is not known. */
      late?: boolean
    }
  /** The whole truth again, after `gap` in which events may have been missed. */
  | { type: 'relisted'; at: Instant; revision: Revision; keys: readonly KeyPut[]; gap: Gap }
  /** The store was restored from a backup: what was is over, what is there now counts in a new epoch. */
  | { type: 'rolled-back'; at: Instant; epoch: number; from: Revision; revision: Revision; keys: readonly KeyPut[] }
  | { type: 'lease'; lease: LeaseId; sample: LeaseSample }
  | { type: 'lease-denied'; lease: LeaseId }
  /** Evidence came in for a term that had ended. */
  | { type: 'cause'; token: Revision; endedBy: EndedBy }
  | { type: 'confirmed'; foundBy: string }
  | ClaimsChange

/** A claim as it is reported; what it means is for the reducer to find. */
export type Said = Omit<Claim, 'since' | 'lateSince'>
/** An instance that said the same again. */
export type SaidAgain = Pick<Claim, 'instance' | 'reportedAt' | 'validUntil' | 'lastWorkAt'>

export interface ClaimsChange {
  type: 'claims'
  put?: readonly Said[]
  again?: readonly SaidAgain[]
  /** Instances that nobody has heard of for long. */
  gone?: readonly string[]
}

/** What a viewer is told; the same on the server and in the browser. */
export type Change =
  | { type: 'cluster'; cluster: string; info: Cluster }
  | { type: 'election'; cluster: string; ref: ElectionRef; change: ElectionChange }
  | { type: 'forgotten'; cluster: string; ref: ElectionRef }

/** What the reducer found to have happened: the rows of the event list and of history. */
export type Fact =
  | {
      type: 'candidate-joined'
      at: Instant
      revision: Revision
      identity: string
      keyBase64: string
      lease: LeaseId | null
    }
  | {
      type: 'candidate-left'
      at: Instant
      revision: Revision
      identity: string
      keyBase64: string
      lease: LeaseId | null
    }
  | { type: 'term-started'; at: Instant; revision: Revision; term: Term }
  | { type: 'term-ended'; at: Instant; revision: Revision; term: Term }
  | { type: 'term-explained'; at: Instant; revision: Revision; term: Term }
  | { type: 'proclaimed'; at: Instant; revision: Revision; identity: string; was: string }
  | {
      type: 'lease-changed'
      at: Instant
      revision: Revision
      identity: string
      was: LeaseId | null
      lease: LeaseId | null
    }
  | { type: 'blocked'; at: Instant; revision: Revision; key: string }
  | { type: 'gap'; at: Instant; revision: Revision; gap: Gap; changed: boolean }

export type FrameReason = 'first' | 'unknown-id' | 'behind'

/** `live.events` sends these. `id` is `<boot id>-<sequence>`. */
export type Frame =
  | {
      id: string
      type: 'snapshot'
      serverTime: Instant
      reason: FrameReason
      build: string
      clusters: readonly { info: Cluster; elections: readonly ElectionState[] }[]
    }
  | { id: string; type: 'change'; serverTime: Instant; changes: readonly Change[] }
  | { id: string; type: 'heartbeat'; serverTime: Instant; clusters: readonly Cluster[] }
