/** Measured values over time, as charts and callers from outside get them. */
import type { Instant } from '../shared/clock.ts'
import type { Lag, Revision } from './types.ts'

export type SeriesSource = 'holder' | 'probe' | 'margin' | 'missed'

/** Milliseconds for `holder` and `probe`; per cent of the granted TTL for `margin`; `missed` is only counted. */
export interface Bucket {
  from: Instant
  count: number
  p50: number
  p95: number
  p99: number
  min: number
  max: number
}

export interface RenewalSeries {
  source: SeriesSource
  identity?: string
  member?: string
  /** Buckets without data are absent: missing is never zero. */
  buckets: readonly Bucket[]
}

export interface MemberShape {
  id: string
  name: string
  endpoint: string
  version: string
  isRaftLeader: boolean
  dbSize: number
  dbSizeInUse: number
  /** null where the server does not tell. */
  dbQuota: number | null
  alarms: readonly string[]
  probeRttMs: number | null
  /** null while it does not answer. */
  revision: Revision | null
  raftTerm: string | null
  /** As in `MemberSummary`. */
  lag?: Lag
  noRaftLeader?: true
  error?: string
}
