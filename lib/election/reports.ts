/** What candidates post to `POST /api/reports`: plain JSON, so that any language can. */
import { z } from 'zod'
import { fencingToken } from './epoch.ts'
import { leaseHex } from './handoff.ts'
import { candidateState } from './presence.ts'

const ageMs = z.number().min(0).max(86_400_000)

/** All ages count back from the moment of posting, on the sender's monotonic clock: no clock has to be right. */
export const candidateReport = z.object({
  /** The cluster's name as the dashboard is configured. */
  cluster: z.string().min(1).max(200),
  layout: z.enum(['queue', 'single-key']),
  /** The bytes of the election's prefix; a queue's ends with `/`. */
  prefixBase64: z.base64().max(8_192),
  /** Random per candidate and process: tells two of one identity apart. */
  instance: z.string().min(1).max(100),
  identity: z.string().max(1_000),
  lease: leaseHex.nullable(),
  state: candidateState,
  /** The term it believes to lead; null when it does not believe so. */
  token: fencingToken.nullable(),
  /** How long it will believe so without another renewal; null when it does not. */
  claimLeftMs: ageMs.nullable(),
  /** When its work last said that it did something; null when it never did. */
  lastWorkAgeMs: ageMs.nullable(),
  /** Writes that a fenced resource refused since the process began. */
  rejections: z.number().int().min(0),
  /** Renewals that got no answer in time, since the report before. */
  missed: z.number().int().min(0),
  renewals: z.array(z.object({ ageMs, rttMs: z.number().min(0).max(600_000) })).max(1_000),
})
export type CandidateReport = z.infer<typeof candidateReport>

export const reportBatch = z.object({ v: z.literal(1), reports: z.array(candidateReport).min(1).max(500) })
export type ReportBatch = z.infer<typeof reportBatch>
