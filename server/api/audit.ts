import { z } from 'zod'
import { ACCOUNT_VERBS } from '../../lib/election/account-verbs.ts'
import { instant, msOf } from '../../lib/shared/clock.ts'
import { type Audit, type AuditEntry, type AuditResult, auditResult } from '../history/audit.ts'
import { allow } from './allow.ts'
import { entryFor, filters, inOrder, ORDER, queryFor } from './audit-query.ts'
import { procedure, router, serverTime } from './trpc.ts'

const DAY_MS = 24 * 3_600_000

const page = filters
  .extend({
    cursor: z.string().optional(),
    limit: z.int().min(1, 'must be 1 to 1,000').max(1_000, 'must be 1 to 1,000').default(100),
  })
  .refine(inOrder, ORDER)

export const audit = router({
  /** Newest first. */
  list: procedure.input(page).query(({ ctx, input }) => {
    const actor = allow(ctx, 'see')
    const { audit } = ctx.runtime
    const { entries, nextCursor } = audit.list(queryFor(actor, input))
    const shown = entries.map((entry) => shapeOf(audit, entryFor(actor, entry)))
    return { serverTime: serverTime(ctx), entries: shown, ...(nextCursor ? { nextCursor } : {}) }
  }),

  /** Of the last 24 h. */
  summary: procedure.query(({ ctx }) => {
    const isAnonymous = allow(ctx, 'see').kind === 'anonymous'
    const now = serverTime(ctx)
    const from = instant(msOf(now) - DAY_MS)
    return {
      serverTime: now,
      from,
      ...ctx.runtime.audit.summary({ from, ...(isAnonymous ? { withoutVerbs: ACCOUNT_VERBS } : {}) }),
    }
  }),
})

interface Shape extends Omit<AuditEntry, 'asked' | 'seen'> {
  /** `open`: an intent that has no outcome at all. null: a note. */
  result: AuditResult | 'open' | null
  asked: unknown
  seen: unknown
}

/** An intent is told with what has become of it since. */
function shapeOf(audit: Audit, entry: AuditEntry): Shape {
  if (entry.kind !== 'intent') return { ...entry, result: auditResult(entry) }
  return { ...entry, result: audit.operation(entry.operation)?.outcomes.at(-1)?.outcome?.is ?? 'open' }
}
