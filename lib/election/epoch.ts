/** The epoch: rises when the store's revisions go backwards, so that tokens compare as (epoch, revision). */
import { z } from 'zod'
import type { Revision } from './types.ts'

export { compareTokens, type FencingToken } from './tokens.ts'

/** Value of the key `<metaPrefix>epoch`. A missing key is epoch 0. */
export const epochRecord = z.object({
  v: z.literal(1),
  epoch: z.number().int().min(0),
  /** Random: two raises to the same number are told apart. */
  id: z.string().min(1),
  /** Highest revision that was seen in the epoch before. */
  highRevision: z.string().regex(/^\d+$/),
})
export type EpochRecord = z.infer<typeof epochRecord>

/** A revision on the wire: decimal, without sign or leading zeros. */
export const decimalRevision = z
  .string()
  .regex(/^(0|[1-9]\d{0,18})$/, 'a revision as a decimal string')
  .transform((text) => text as Revision)

/** Compares as (epoch, revision): the create revision of the leader's key in its epoch. */
export const fencingToken = z.object({ epoch: z.number().int().min(0), revision: decimalRevision })
export interface Rollback {
  from: Revision
  to: Revision
  at: string
}
