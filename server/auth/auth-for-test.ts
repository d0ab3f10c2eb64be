/** Sign-in on a database of its own, as a server would have it: for tests. */
import { join } from 'node:path'
import { makeTempFolder } from '../../e2e/harness/temp-folder.ts'
import { systemClock } from '../../lib/shared/clock.ts'
import { configSchema } from '../config/schema.ts'
import type { Accounts, Auth } from './auth.ts'
import { CLIENT_HEADER } from './client-address.ts'
import type { Log } from './log.ts'
import { openAuth } from './open-auth.ts'
import type { Person } from './person.ts'

export const PASSWORD = 'correct horse battery'
const clusters = [{ name: 'eu', endpoints: ['http://127.0.0.1:2379'], watch: ['/e/'] }]
let addresses = 0

/** Headers as the guard hands them on; each call comes from another address, for the rate limits. */
export function cameFrom(more: Record<string, string> = {}): Headers {
  addresses += 1
  return new Headers({ [CLIENT_HEADER]: `10.${addresses >> 8}.${addresses & 255}.1`, 'user-agent': 'test', ...more })
}

export const cookieOf = (cookies: readonly string[]) => cookies.map((cookie) => cookie.split(';')[0]).join('; ')

export interface TestAuth {
  auth: Auth
  accounts: Accounts
  /** What time it is for links and tokens. */
  clock: { aheadMs: number }
  logged: string[]
  folder: string
  reopen(settings?: Record<string, unknown>): Promise<TestAuth>
  /** Adds somebody with `PASSWORD`. */
  add(name: string, role: Person['role']): Promise<Person>
  /** Headers with the cookie of a new session. */
  signedIn(name: string): Promise<Headers>
  close(): void
}

export async function testAuth(
  settings: Record<string, unknown> = {},
  at = makeTempFolder('auth'),
  clock = { aheadMs: 0 },
): Promise<TestAuth> {
  const logged: string[] = []
  const write = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`)
  const log: Log = { debug: write, info: write, warn: write }
  const auth = await openAuth(configSchema.parse({ clusters, ...settings }), {
    root: at.path,
    file: join(at.path, 'history.sqlite'),
    folder: at.path,
    clock: { ...systemClock, nowMs: () => Date.now() + clock.aheadMs },
    log,
  })
  const { accounts } = auth
  if (accounts === null) throw new Error('these settings have no accounts')
  return {
    auth,
    accounts,
    clock,
    logged,
    folder: at.path,
    reopen: (more = settings) => {
      auth.close()
      return testAuth(more, at, clock)
    },
    add: async (name, role) => {
      const { person } = await accounts.people.add({ name, email: `${name}@example.org`, role })
      accounts.links.drop({ personId: person.id })
      await accounts.people.setPassword(person.id, PASSWORD)
      return person
    },
    signedIn: async (name) => {
      const who = { email: `${name}@example.org`, password: PASSWORD }
      const outcome = await accounts.entrance.signIn(who, cameFrom())
      if (outcome.is !== 'in') throw new Error(`${name} could not sign in: ${outcome.is}`)
      return cameFrom({ cookie: cookieOf(outcome.cookies) })
    },
    close: () => {
      auth.close()
      at.remove()
    },
  }
}
