import { z } from 'zod'
import { accountsOf, role } from './account.ts'
import { allowPerson } from './allow.ts'
import { type Recorded, recorded } from './recorded.ts'
import { router } from './trpc.ts'

const who = z.object({ id: z.string() })
const newcomer = z.object({
  name: z.string().trim().min(1, 'must not be empty').max(80, 'must not be longer than 80 characters'),
  email: z.email({ error: 'must be an e-mail address' }).max(200),
  role,
})

/** Asked before the input is read: who may not manage people learns nothing from its mistakes. */
const managing = (verb: Recorded | null) =>
  recorded(verb).use(({ ctx, next }) => {
    allowPerson(ctx, 'manageUsers')
    return next({ ctx: { people: accountsOf(ctx).people } })
  })

export const people = router({
  list: managing(null).query(({ ctx }) => ({ people: ctx.people.list() })),

  /** `secret` opens the link by which the new person sets a password, once and for a day. */
  add: managing('addPerson')
    .input(newcomer)
    .mutation(({ ctx, input }) => ctx.people.add(input)),

  newLink: managing('makeLink')
    .input(who)
    .mutation(({ ctx, input }) => ({ secret: ctx.people.newLink(input.id) })),

  setRole: managing('changeRole')
    .input(who.extend({ role }))
    .mutation(({ ctx, input }) => ctx.people.setRole(input.id, input.role)),

  /** Out at once: sessions, tokens and streams end. */
  disable: managing('disablePerson')
    .input(who)
    .mutation(({ ctx, input }) => ctx.people.disable(input.id)),

  enable: managing('enablePerson')
    .input(who)
    .mutation(({ ctx, input }) => ctx.people.enable(input.id)),
})
