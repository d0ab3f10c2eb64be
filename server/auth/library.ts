/** better-auth as Tenure sets it up: it hashes passwords, keeps sessions, limits rates, speaks OpenID Connect. */
import type { DatabaseSync } from 'node:sqlite'
import { APIError, type Auth, type BetterAuthOptions, betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import type { Role } from '../../lib/election/policy.ts'
import { CLIENT_HEADER } from './client-address.ts'
import type { Log } from './log.ts'

export const LEAST_PASSWORD = 12
export const MOST_PASSWORD = 128
const SESSION_LASTS_S = 7 * 24 * 3_600

/** A minute and ten tries from one address; each costs a slow hash. */
const RATE = { window: 60, max: 10 }

export interface LibraryOptions {
  database: DatabaseSync
  secret: string
  /** Origin that people use. */
  origin: string
  secureCookies: boolean
  log: Log
  /** Only where people come by OpenID Connect. */
  provider?: Provider
}

export interface Provider {
  plugin: NonNullable<BetterAuthOptions['plugins']>[number]
  /** The role that this identity has here; null: none, and it is not let in. */
  roleOf: (claims: object) => Role | null
}

type ValidateUserInfo = NonNullable<NonNullable<BetterAuthOptions['user']>['validateUserInfo']>

export type Library = Auth<BetterAuthOptions>

const withoutTokens = <T extends object>(account: T) => ({
  data: { ...account, accessToken: null, refreshToken: null, idToken: null },
})

/** Nobody signs up: people are added by an admin, by the first link, or come by OpenID Connect. */
function optionsOf({ database, secret, origin, secureCookies, log, provider }: LibraryOptions): BetterAuthOptions {
  // What the claims of the request that is being answered say.
  const granted = new WeakMap<Request, Role>()
  return {
    appName: 'Tenure',
    baseURL: origin,
    basePath: '/api/auth',
    secret,
    database,
    telemetry: { enabled: false },
    // Arguments may hold what somebody typed: only the sentence is logged.
    logger: {
      disableColors: true,
      level: 'warn',
      log: (level, message) => log[level === 'error' ? 'warn' : 'debug']({ auth: message }, 'sign-in'),
    },
    plugins: provider === undefined ? [] : [provider.plugin],
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: LEAST_PASSWORD,
      maxPasswordLength: MOST_PASSWORD,
    },
    user: {
      modelName: 'auth_people',
      additionalFields: {
        role: { type: 'string', required: true, defaultValue: 'viewer', input: false },
        disabled: { type: 'boolean', required: true, defaultValue: false, input: false },
      },
      ...(provider === undefined ? {} : { validateUserInfo: requireRole(provider, granted) }),
    },
    // A session is never prolonged by looking, so that no request that only reads writes anything.
    session: { modelName: 'auth_sessions', expiresIn: SESSION_LASTS_S, disableSessionRefresh: true },
    account: { modelName: 'auth_accounts' },
    verification: { modelName: 'auth_verifications' },
    databaseHooks: {
      session: { create: { before: letIn(database, granted) } },
      // Tenure asks the provider nothing later, so that what could be stolen is not kept.
      account: {
        create: { before: async (account) => withoutTokens(account) },
        update: { before: async (account) => withoutTokens(account) },
      },
    },
    rateLimit: {
      enabled: true,
      storage: 'memory',
      customRules: { '/sign-in/email': RATE, '/change-password': RATE, '/sign-in/social': RATE, '/callback/*': RATE },
    },
    onAPIError: { errorURL: '/sign-in' },
    advanced: {
      useSecureCookies: secureCookies,
      cookiePrefix: 'tenure',
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/' },
      ipAddress: { ipAddressHeaders: [CLIENT_HEADER] },
    },
  }
}

function requireRole({ roleOf }: Provider, granted: WeakMap<Request, Role>): ValidateUserInfo {
  return ({ source }, { request }) => {
    const role = source.oauth === undefined ? null : roleOf(source.oauth.profile ?? {})
    if (role === null || request === undefined) return { error: 'no_role' }
    granted.set(request, role)
  }
}

/**
 * Runs after the password was found right, or the provider said who it is: who guesses does not learn that
 * somebody is disabled. The role of who comes by a provider is what the claims say, anew each time.
 */
function letIn(database: DatabaseSync, granted: WeakMap<Request, Role>) {
  return async ({ userId }: { userId: string }, context: { request?: Request | undefined } | null) => {
    const row = database.prepare('select disabled from auth_people where id = ?').get(userId)
    if (row?.disabled !== 0) throw new APIError('FORBIDDEN', { code: 'DISABLED', message: 'disabled' })
    const role = context?.request === undefined ? undefined : granted.get(context.request)
    if (role !== undefined) database.prepare('update auth_people set role = ? where id = ?').run(role, userId)
  }
}

/** Makes or completes the library's own tables first. */
export async function openLibrary(options: LibraryOptions): Promise<Library> {
  const settings = optionsOf(options)
  const { runMigrations } = await getMigrations(settings)
  await runMigrations()
  return betterAuth(settings)
}

/**
 * Beside the other, on the same tables: it asks the provider for its addresses before it answers anything,
 * and a provider that hangs must not keep those out who have a password.
 */
export function openProviderLibrary(options: LibraryOptions & { provider: Provider }): Library {
  return betterAuth(optionsOf(options))
}
