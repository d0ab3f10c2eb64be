/** better-auth as Tenure sets it up: it hashes passwords, keeps sessions, limits rates, speaks OpenID Connect. */
import type { DatabaseSync } from 'node:sqlite'
import { APIError, type Auth, type BetterAuthOptions, betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
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
  plugins?: NonNullable<BetterAuthOptions['plugins']>
  validateUserInfo?: NonNullable<NonNullable<BetterAuthOptions['user']>['validateUserInfo']>
}

export type Library = Auth<BetterAuthOptions>

const withoutTokens = <T extends object>(account: T) => ({
  data: { ...account, accessToken: null, refreshToken: null, idToken: null },
})

/** Nobody signs up: people are added by an admin, by the first link, or come by OpenID Connect. */
function optionsOf({ database, secret, origin, secureCookies, log, ...rest }: LibraryOptions): BetterAuthOptions {
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
    plugins: rest.plugins ?? [],
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
      ...(rest.validateUserInfo ? { validateUserInfo: rest.validateUserInfo } : {}),
    },
    // A session is never prolonged by looking, so that no request that only reads writes anything.
    session: { modelName: 'auth_sessions', expiresIn: SESSION_LASTS_S, disableSessionRefresh: true },
    account: { modelName: 'auth_accounts' },
    verification: { modelName: 'auth_verifications' },
    databaseHooks: {
      session: { create: { before: refuseDisabled(database) } },
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

/** Runs after the password was found right: who guesses does not learn that somebody is disabled. */
function refuseDisabled(database: DatabaseSync) {
  return async ({ userId }: { userId: string }) => {
    const row = database.prepare('select disabled from auth_people where id = ?').get(userId)
    if (row?.disabled !== 0) throw new APIError('FORBIDDEN', { code: 'DISABLED', message: 'disabled' })
  }
}

/** Makes or completes the library's own tables first. */
export async function openLibrary(options: LibraryOptions): Promise<Library> {
  const settings = optionsOf(options)
  const { runMigrations } = await getMigrations(settings)
  await runMigrations()
  return betterAuth(settings)
}
