/** Ranges of time that callers ask for. */
import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { type Instant, instant, msOf } from '../../lib/shared/clock.ts'

export const time = z.iso.datetime({ error: 'must be a UTC time such as 2026-03-12T03:00:00Z' })

export const inOrder = ({ from, to }: { from?: string | undefined; to?: string | undefined }) =>
  from === undefined || to === undefined || Date.parse(from) <= Date.parse(to)
export const ORDER = { path: ['to'], error: 'must not be before from' }

const KEPT_MS = 31 * 24 * 3_600_000

/** `what` is kept for 30 days: a longer range would only have more that is empty. */
export function requireKept({ from, to }: { from: Instant; to: Instant }, now: Instant, what: string): void {
  const earliest = instant(msOf(now) - KEPT_MS)
  if (from >= earliest && msOf(to) - msOf(from) <= 2 * KEPT_MS) return
  const message = `${what} are kept for 30 days: ask for a range after ${earliest} that ends by now`
  throw new TRPCError({ code: 'BAD_REQUEST', message })
}
