/** The one place where the policy is asked for a caller. A refusal names its code, and what would be right. */
import { TRPCError } from '@trpc/server'
import { type Refusal, type Situation, type Verb, whyNot } from '../../lib/election/policy.ts'
import { Refused } from '../actions/refused.ts'
import type { Actor } from '../auth/person.ts'
import type { Context } from './context.ts'

const BAD_TOKEN: Refusal = {
  code: 'not-signed-in',
  why: 'The token in Authorization is not one of this Tenure, or it was revoked.',
  fix: 'Make a new one on the account page.',
}

function refuse(refusal: Refusal): never {
  throw asTrpcRefusal(new Refused(refusal))
}

/** As the API tells a refusal: who may not is told so, and what stands in the way is a conflict. */
export function asTrpcRefusal(cause: Refused): TRPCError {
  const { code: why } = cause.refusal
  const code = why === 'not-signed-in' ? 'UNAUTHORIZED' : why === 'role' ? 'FORBIDDEN' : 'CONFLICT'
  return new TRPCError({ code, message: cause.message, cause })
}

/** Who may do this now; throws the refusal otherwise. */
export function allow({ actor }: Context, verb: Verb, situation?: Situation): Actor {
  if (actor === 'bad-token') refuse(BAD_TOKEN)
  const refusal = whyNot(actor?.role ?? null, verb, situation)
  if (refusal !== null || actor === null) refuse(refusal ?? BAD_TOKEN)
  return actor
}

/** Somebody who signed in with a browser: a token that leaked must not make others, or people. */
export function allowPerson(context: Context, verb: Verb): Extract<Actor, { kind: 'person' }> {
  const actor = allow(context, verb)
  if (actor.kind === 'person') return actor
  const why = {
    loopback: 'Nobody signs in here: auth is loopback-open.',
    token: 'This cannot be done with a token.',
    anonymous: 'You are not signed in.',
  }[actor.kind]
  const fix = actor.kind === 'loopback' ? 'Set auth to required in tenure.yaml.' : 'Sign in with a browser.'
  return refuse({ code: actor.kind === 'anonymous' ? 'not-signed-in' : 'role', why, fix })
}
