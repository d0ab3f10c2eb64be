/** What may be asked of the audit log, and what of it is for whom. */
import { z } from 'zod'
import { ACCOUNT_VERBS } from '../../lib/election/account-verbs.ts'
import type { Actor } from '../auth/person.ts'
import { AUDIT_KINDS, AUDIT_RESULTS, type AuditEntry, type AuditQuery } from '../history/audit.ts'
import { LEAST_SEARCH } from '../history/audit-search.ts'

const text = z.string().min(1, 'must not be empty').max(2_000, 'must not be longer than 2,000 characters')
const time = z.iso
  .datetime({ error: 'must be an ISO 8601 time in UTC, such as 2026-07-03T10:01:00.000Z' })
  .transform((at) => new Date(at).toISOString())
const oneOf = <const T extends readonly string[]>(names: T) => z.enum(names, { error: `must be ${names.join(', ')}` })

export const filters = z.object({
  cluster: text.optional(),
  ref: text.optional(),
  verb: text.optional(),
  kind: oneOf(AUDIT_KINDS).optional(),
  result: oneOf(AUDIT_RESULTS).optional(),
  operation: text.optional(),
  search: z
    .string()
    .max(200, 'must not be longer than 200 characters')
    .refine((given) => [...given].length >= LEAST_SEARCH, `must have at least ${LEAST_SEARCH} characters`)
    .refine((given) => !given.includes('\0'), 'must be text')
    .optional(),
  from: time.optional(),
  to: time.optional(),
})
export const inOrder = ({ from, to }: { from?: string | undefined; to?: string | undefined }) =>
  from === undefined || to === undefined || from < to
export const ORDER = { message: 'must be later than from', path: ['to'] }

type Filters = z.infer<typeof filters> & { cursor?: string | undefined; limit: number }

/** Somebody who is not signed in sees what was done to elections, and neither addresses nor what concerns people. */
const isHidden = (actor: Actor) => actor.kind === 'anonymous'

export function queryFor(actor: Actor, asked: Filters): AuditQuery {
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))
  const query = given as unknown as AuditQuery
  return isHidden(actor) ? { ...query, withoutVerbs: ACCOUNT_VERBS, searchAddresses: false } : query
}

/** The entry as this actor may see it. */
export function entryFor(actor: Actor, entry: AuditEntry): AuditEntry {
  return isHidden(actor) ? { ...entry, actor: { ...entry.actor, address: '' } } : entry
}
