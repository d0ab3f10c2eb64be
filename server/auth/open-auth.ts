/** Sign-in as the configuration wants it. */
import { resolve } from 'node:path'
import type { Clock } from '../../lib/shared/clock.ts'
import { secretFile } from '../config/data-files.ts'
import { type Config, isLoopbackAddress } from '../config/schema.ts'
import { type Auth, loopbackOpen, SignInRequired } from './auth.ts'
import { forgetExpired, openAuthDatabase } from './database.ts'
import { Endings } from './endings.ts'
import { Entrance } from './entrance.ts'
import { openLibrary, openProviderLibrary } from './library.ts'
import { Links } from './links.ts'
import type { Log } from './log.ts'
import { oidcProvider } from './oidc.ts'
import { People } from './people.ts'
import { keptSecret, readSecret } from './secret.ts'
import { Sessions } from './sessions.ts'
import { Tokens } from './tokens.ts'

export interface AuthSurroundings {
  /** Where relative paths of the configuration start. */
  root: string
  /** The history's file. */
  file: string
  /** Where a secret that is not configured is kept. */
  folder: string
  clock: Clock
  log: Log
}

/** The address that people type, as far as the configuration tells. */
export function originOf({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  if (publicUrl !== undefined) return new URL(publicUrl).origin
  const named = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${named}:${port}`
}

/** Off only where nothing leaves this machine: a session that went over the network in clear could be copied. */
export function needsSecureCookies({ publicUrl, host }: Pick<Config, 'publicUrl' | 'host'>): boolean {
  if (!isLoopbackAddress(host)) return true
  if (publicUrl === undefined) return false
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:' || !isLoopbackAddress(hostname.replace(/^\[|\]$/g, ''))
}

export async function openAuth(config: Config, { root, file, folder, clock, log }: AuthSurroundings): Promise<Auth> {
  if (config.auth === 'loopback-open') return loopbackOpen
  const fileOf = (path: string) => resolve(root, path)
  const secret =
    config.authSecretFile === undefined ? keptSecret(secretFile(folder)) : readSecret(fileOf(config.authSecretFile))
  const secureCookies = needsSecureCookies(config)
  if (secureCookies && !config.publicUrl?.startsWith('https:')) {
    log.warn({}, 'nobody can sign in from elsewhere without https: put TLS in front and set publicUrl to its address')
  }
  const database = openAuthDatabase(file)
  try {
    const origin = originOf(config)
    const endings = new Endings()
    const links = new Links(database, clock)
    const tokens = new Tokens(database, clock, endings)
    const options = { database, secret, origin, secureCookies, log }
    const library = await openLibrary(options)
    try {
      forgetExpired(database, clock.nowMs())
    } catch (error) {
      // What ran out lets nobody in: a full disk is no reason not to start.
      log.warn({ reason: String(error) }, 'sessions and links that ran out are not deleted')
    }
    const provider = config.oidc === undefined ? null : oidcProvider(config.oidc, fileOf)
    const byProvider = provider === null ? null : once(() => openProviderLibrary({ ...options, provider }))
    const sessions = new Sessions(database, library, endings)
    const people = new People({ database, library, links, tokens, endings })
    const entrance = new Entrance({ library, byProvider, origin, people, sessions, links, endings })
    return new SignInRequired({
      accounts: { people, sessions, tokens, links, entrance },
      endings,
      anonymousViewing: config.anonymousViewing,
      close: () => database.isOpen && database.close(),
    })
  } catch (error) {
    database.close()
    throw error
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
