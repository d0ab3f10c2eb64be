/** A request to hand leadership over, as it stands in etcd on a lease whose TTL is its deadline. */
import { z } from 'zod'
import { decimalRevision, fencingToken } from './epoch.ts'
import type { LeaseId } from './types.ts'

export const leaseHex = z
  .string()
  .regex(/^[0-9a-f]{16}$/, 'a lease id as 16 lower-case hex digits')
  .transform((text) => text as LeaseId)

/** Value of the key `<metaPrefix>handoff/<prefix>`. Deleting it withdraws the request. */
export const handoffRequest = z.object({
  v: z.literal(1),
  id: z.string().min(1),
  /** The term it is meant for; any other leader ignores it. */
  token: fencingToken,
  /** Who shall lead next; null leaves it to the queue. */
  target: z.object({ createRevision: decimalRevision, lease: leaseHex }).nullable(),
  reason: z.string(),
  by: z.string().min(1),
})
export type HandoffRequest = z.infer<typeof handoffRequest>
