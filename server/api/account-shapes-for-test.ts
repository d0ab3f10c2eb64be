/** The shapes of `account` and `people`, a second time and strict, as in contract-for-test.ts. */
import { z } from 'zod'
import { time } from './contract-parts-for-test.ts'

const role = z.enum(['viewer', 'operator', 'admin'])
const token = z.strictObject({ id: z.string(), name: z.string(), role, createdAt: time, usedAt: time.nullable() })
const secret = z.string().regex(/^(tenure_)?[\w-]{43}$/)
const personFields = { id: z.string(), name: z.string(), email: z.string(), role, disabled: z.boolean() }
const person = z.strictObject(personFields)

export const shapes = {
  'account.me': z.strictObject({
    signIn: z.enum(['required', 'loopback-open']),
    anonymousViewing: z.boolean(),
    readOnly: z.boolean(),
    oidc: z.strictObject({ name: z.string() }).nullable(),
    needsSetUp: z.boolean(),
    who: z
      .strictObject({
        kind: z.enum(['person', 'token', 'loopback', 'anonymous']),
        role,
        name: z.string().optional(),
        email: z.string().optional(),
        token: z.string().optional(),
      })
      .nullable(),
  }),
  'account.sessions': z.strictObject({
    sessions: z.array(
      z.strictObject({
        id: z.string(),
        since: time,
        until: time,
        address: z.string(),
        browser: z.string(),
        current: z.boolean(),
      }),
    ),
  }),
  'account.endSession': z.undefined(),
  'account.signOutEverywhere': z.undefined(),
  'account.tokens': z.strictObject({ tokens: z.array(token) }),
  'account.makeToken': z.strictObject({ token, secret }),
  'account.revokeToken': z.undefined(),
  'people.list': z.strictObject({
    people: z.array(z.strictObject({ ...personFields, signsInBy: z.array(z.enum(['password', 'oidc'])) })),
  }),
  'people.add': z.strictObject({ person, secret }),
  'people.newLink': z.strictObject({ secret }),
  'people.setRole': person,
  'people.disable': person,
  'people.enable': person,
} as const
