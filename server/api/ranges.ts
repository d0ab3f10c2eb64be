/** Ranges of time that callers ask for. */
import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { type Instant, instant, msOf } from '../../lib/shared/clock.ts'

export const time = z.iso.datetime({ error: 'must be a UTC time such as 2026-03-12T03:00:00Z' })

export const inOrder = ({ from, to }: { from?: string | undefined; to?: string | undefined }) =>
  from === undefined || to === undefined || Date.parse(from) <= Date.parse(to)
export const ORDER = { path: ['to'], error: 'must not be before from' }

interface Range {
  from: Instant
  to: Instant
}

const MOST_DAYS = 366
export const isShort = ({ from, to }: Range) => msOf(to) - msOf(from) <= MOST_DAYS * 24 * 3_600_000
export const SHORT = { path: ['to'], error: `must be at most ${MOST_DAYS} days after from` }

/** As times that compare as text. */
export const normal = ({ from, to }: Range): Range => ({ from: instant(msOf(from)), to: instant(msOf(to)) })

const KEPT_MS = 31 * 24 * 3_600_000

/** `what` is kept for 30 days: a longer range would only have more that is empty. */
export function requireKept({ from, to }: Range, now: Instant, what: string): void {
  const earliest = instant(msOf(now) - KEPT_MS)
  if (from >= earliest && msOf(to) - msOf(from) <= 2 * KEPT_MS) return
  const message = `${what} are kept for 30 days: ask for a range after ${earliest} that ends by now`
  throw new TRPCError({ code: 'BAD_REQUEST', message })
}
