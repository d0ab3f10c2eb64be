/** What is done to people, and what somebody does to what is theirs, in the audit log; refusals as well. */
import type { TRPCError } from '@trpc/server'
import type { AccountVerb } from '../../lib/election/account-verbs.ts'
import type { Told } from '../actions/people-log.ts'
import { refusalOf } from '../actions/refused.ts'
import { callerOf } from './caller.ts'
import type { Context } from './context.ts'
import { asTrpcError, open } from './trpc.ts'

export type Recorded = Exclude<AccountVerb, 'signIn' | 'signOut' | 'changePassword' | 'useLink'>

const WORDS: Readonly<Record<Recorded, string>> = {
  signOutEverywhere: 'Ended all own sessions.',
  endSession: 'Ended an own session.',
  makeLink: 'Made a one-time link by which this person sets a password.',
  addPerson: 'Added this person, and made a one-time link.',
  changeRole: 'Changed the role of this person.',
  disablePerson: 'Disabled this person: sessions, tokens and links ended.',
  enablePerson: 'Let this person in again.',
  makeToken: 'Made an API token.',
  revokeToken: 'Revoked an API token.',
}

/** Not a mistake in the input: somebody was kept from what they asked for. */
const KEPT_FROM = new Set<TRPCError['code']>(['UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT', 'NOT_FOUND'])
const LONGEST = 80

/** The base of a procedure whose doing is recorded, before anything else is checked. null: only looked at. */
export const recorded = (verb: Recorded | null) =>
  open.use(async ({ ctx, next, getRawInput }) => {
    if (verb === null) return next()
    // No body is no JSON: what takes input refuses that itself.
    const about = aboutOf(ctx, await getRawInput().catch(() => null))
    const result = await next()
    const told = { verb, actor: callerOf(ctx).actor, ...about }
    const { people } = ctx.runtime.actions
    if (result.ok) people.done({ ...told, person: about.person ?? addedIn(result.data), words: WORDS[verb] })
    else {
      const error = asTrpcError(result.error.cause) ?? result.error
      if (KEPT_FROM.has(error.code)) people.refused({ ...told, code: codeOf(error), words: error.message })
    }
    return result
  })

/** Looked up before it is done: a token that was revoked has no name any more. */
function aboutOf(ctx: Context, raw: unknown): Pick<Told, 'person' | 'asked' | 'seen'> {
  const { id, name, role } = (typeof raw === 'object' && raw !== null ? raw : {}) as Record<string, unknown>
  const { accounts } = ctx.runtime.auth
  const { actor } = ctx
  const person = typeof id === 'string' ? (accounts?.people.find(id) ?? null) : null
  const own = actor !== null && actor !== 'bad-token' && 'person' in actor ? actor.person.id : null
  const token = own === null ? undefined : accounts?.tokens.of(own).find((each) => each.id === id)
  const asked = {
    ...(typeof name === 'string' ? { name: name.slice(0, LONGEST) } : {}),
    ...(typeof role === 'string' ? { role: role.slice(0, LONGEST) } : {}),
    ...(token === undefined ? {} : { token: token.name, role: token.role }),
  }
  const seen = person === null ? null : { role: person.role, disabled: person.disabled }
  return { person, seen, asked: Object.keys(asked).length === 0 ? null : asked }
}

/** `people.add` answers with whom it added. */
function addedIn(data: unknown): { id: string; name: string } | null {
  const { person } = (typeof data === 'object' && data !== null ? data : {}) as {
    person?: { id: string; name: string }
  }
  return person ?? null
}

function codeOf({ cause, code }: TRPCError): string {
  const refusal = refusalOf(cause)
  if (refusal !== undefined) return refusal.code
  return cause instanceof Error && cause.name === 'PeopleError' && 'code' in cause
    ? String(cause.code)
    : code.toLowerCase()
}
