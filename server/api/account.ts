import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { lesser, ROLES } from '../../lib/election/policy.ts'
import { MOST_TOKENS } from '../auth/tokens.ts'
import { allowPerson } from './allow.ts'
import type { Context } from './context.ts'
import { type Recorded, recorded } from './recorded.ts'
import { open, router } from './trpc.ts'

export const role = z.enum(ROLES, { error: 'must be viewer, operator or admin' })
const name = z.string().trim().min(1, 'must not be empty').max(80, 'must not be longer than 80 characters')
const id = z.object({ id: z.string() })

/** People and what is theirs. Throws where nobody signs in. */
export function accountsOf({ runtime }: Context) {
  if (runtime.auth.accounts !== null) return runtime.auth.accounts
  throw new TRPCError({ code: 'CONFLICT', message: 'nobody signs in here: auth is loopback-open' })
}

/** For what is somebody's own. */
const personal = (verb: Recorded | null) =>
  recorded(verb).use(({ ctx, next }) => {
    const { person, session } = allowPerson(ctx, 'see')
    return next({ ctx: { person, session, accounts: accountsOf(ctx) } })
  })

function whoOf({ actor }: Context) {
  if (actor === null || actor === 'bad-token') return null
  const { kind } = actor
  if (kind === 'loopback' || kind === 'anonymous') return { kind, role: actor.role }
  const { name: called, email } = actor.person
  return { kind, role: actor.role, name: called, email, ...(kind === 'token' ? { token: actor.token.name } : {}) }
}

function found(isFound: boolean, what: string): void {
  if (!isFound) throw new TRPCError({ code: 'NOT_FOUND', message: `you have no such ${what}` })
}

export const account = router({
  /** Who asks, and how to sign in. Answered to anybody. */
  me: open.query(({ ctx }) => {
    const { config, auth } = ctx.runtime
    return {
      signIn: config.auth,
      anonymousViewing: config.anonymousViewing,
      readOnly: config.readOnly,
      oidc: config.oidc === undefined ? null : { name: config.oidc.name },
      needsSetUp: auth.accounts?.people.count === 0,
      who: whoOf(ctx),
    }
  }),

  sessions: personal(null).query(async ({ ctx }) => {
    const sessions = await ctx.accounts.sessions.of(ctx.person.id)
    return { sessions: sessions.map((each) => ({ ...each, current: each.id === ctx.session.id })) }
  }),

  endSession: personal('endSession')
    .input(id)
    .mutation(({ ctx, input }) => {
      found(ctx.accounts.sessions.end(ctx.person.id, input.id), 'session')
    }),

  /** Every session, this one too. */
  signOutEverywhere: personal('signOutEverywhere').mutation(({ ctx }) =>
    ctx.accounts.people.endSessions(ctx.person.id),
  ),

  tokens: personal(null).query(({ ctx }) => ({ tokens: ctx.accounts.tokens.of(ctx.person.id) })),

  /** `secret` is in this answer and nowhere else. */
  makeToken: personal('makeToken')
    .input(z.object({ name, role }))
    .mutation(({ ctx, input }) => {
      const { person, accounts } = ctx
      const { tokens } = accounts
      if (lesser(input.role, person.role) !== input.role) {
        throw new TRPCError({
          code: 'FORBIDDEN',
          message: `a token does no more than you may, and you are ${person.role}`,
        })
      }
      if (tokens.of(person.id).length >= MOST_TOKENS) {
        throw new TRPCError({ code: 'CONFLICT', message: `you have ${MOST_TOKENS} tokens: revoke one first` })
      }
      return tokens.make(person.id, input)
    }),

  revokeToken: personal('revokeToken')
    .input(id)
    .mutation(({ ctx, input }) => {
      found(ctx.accounts.tokens.revoke(ctx.person.id, input.id), 'token')
    }),
})
