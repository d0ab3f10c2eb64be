import { z } from 'zod'
import { parseRef } from '../../lib/election/ids.ts'
import type { ElectionRef } from '../../lib/election/types.ts'
import { msOf } from '../../lib/shared/clock.ts'
import { allow } from './allow.ts'
import { MOST_ELECTIONS, readIncident } from './incident.ts'
import { normal, time } from './ranges.ts'
import { procedure, router } from './trpc.ts'

const MOST_DAYS = 31

function isRef(text: string): text is ElectionRef {
  try {
    parseRef(text)
    return true
  } catch {
    return false
  }
}

export const incidentQuestion = z
  .object({
    cluster: z.string(),
    from: time,
    to: time,
    refs: z
      .array(z.string().max(3_000).refine(isRef, 'must be references as elections.list has them'))
      .min(1, 'must name an election, or be left out')
      .max(MOST_ELECTIONS, `must be at most ${MOST_ELECTIONS}`)
      .optional(),
  })
  .refine(({ from, to }) => msOf(from) < msOf(to), { path: ['to'], error: 'must be after from' })
  .refine(({ from, to }) => msOf(to) - msOf(from) <= MOST_DAYS * 24 * 3_600_000, {
    path: ['to'],
    error: `must be at most ${MOST_DAYS} days after from`,
  })
  .transform(({ refs, ...rest }) => ({ ...rest, ...normal(rest), refs: refs as ElectionRef[] | undefined }))

export const incidents = router({
  /** One document of a range: what happened, why, and who did what. */
  report: procedure.input(incidentQuestion).query(({ ctx, input }) => readIncident(ctx, allow(ctx, 'see'), input)),
})
