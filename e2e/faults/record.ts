/** What a run left behind, for the judge. All times are milliseconds of the clock that `machineMs` reads. */

import type { FencingToken } from '../../lib/election/epoch.ts'
import type { Attempt } from '../harness/fenced-resource.ts'

/** One stretch of leadership as the worker itself saw it. */
export interface Believed {
  worker: string
  token: FencingToken
  fromMs: number
  /** The last time it asked whether it leads and was told so: a process that stands still believes nothing. */
  provenMs: number
  /** When it was told that the term had ended; null: it was killed before. */
  learnedMs: number | null
  why: string
  /** How often it was told. */
  ended: number
}

/** A time in which a worker could not run, by our hand. */
export interface Frozen {
  worker: string
  fromMs: number
  toMs: number
}

/** Something that must bring another term within a time. */
export interface Failover {
  what: string
  atMs: number
  boundMs: number
}

export interface Recording {
  name: string
  terms: readonly Believed[]
  attempts: readonly Attempt[]
  frozen: readonly Frozen[]
  failovers: readonly Failover[]
  /** Refused writes as each worker that said goodbye had counted them. */
  counted: readonly { worker: string; rejected: number }[]
}

export interface Finding {
  rule: string
  detail: string
}

export interface Judgement {
  findings: Finding[]
  terms: number
  attempts: number
  rejected: number
  /** How long a former leader went on after the next one had begun; 0 where it did not. One entry a change. */
  overlapsMs: number[]
  failoversMs: number[]
  /** The longest time without a leader between two terms. */
  vacancyMs: number
  /** Writes proven before a freeze that arrived after it: only the resource can refuse those. */
  heldBack: number
}
