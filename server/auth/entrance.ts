/** In and out by the library's own endpoints, so that its rate limits and checks apply; no other of them is reachable. */

import { CLIENT_HEADER } from './client-address.ts'
import type { Endings } from './endings.ts'
import { LEAST_PASSWORD, type Library, MOST_PASSWORD } from './library.ts'
import type { Links } from './links.ts'
import type { People } from './people.ts'
import type { Sessions } from './sessions.ts'

/** `cookies` are values of Set-Cookie. */
export type Outcome =
  | { is: 'in'; cookies: readonly string[] }
  | { is: 'wrong' | 'disabled' | 'expired-link' | 'taken' | 'not-signed-in' | 'no-password' | 'failed' }
  | { is: 'bad-password'; why: string }
  | { is: 'too-many'; waitMs: number }

export interface SetUp {
  link: string
  password: string
  /** Only of the first admin: others were named by whoever added them. */
  name?: string | undefined
  email?: string | undefined
}

interface Parts {
  library: Library
  /** null where no provider is configured. */
  byProvider: (() => Library) | null
  origin: string
  people: People
  sessions: Sessions
  links: Links
  endings: Endings
}

/** What the library may see of a request: where it came from, with what browser, and the cookie. */
const PASSED = [CLIENT_HEADER, 'user-agent', 'cookie'] as const

export function passwordProblem(password: string): string | null {
  if (password.length < LEAST_PASSWORD) return `A password has at least ${LEAST_PASSWORD} characters.`
  if (password.length > MOST_PASSWORD) return `A password has at most ${MOST_PASSWORD} characters.`
  return null
}

export class Entrance {
  private readonly parts: Parts

  constructor(parts: Parts) {
    this.parts = parts
  }

  async signIn(who: { email: string; password: string }, from: Headers): Promise<Outcome> {
    // A cookie of before says nothing about who signs in now.
    const headers = new Headers(from)
    headers.delete('cookie')
    return outcomeOf(await this.post('/sign-in/email', who, headers))
  }

  /** The cookies that make the browser forget. */
  async signOut(from: Headers): Promise<readonly string[]> {
    const found = await this.parts.sessions.find(from)
    const response = await this.post('/sign-out', {}, from)
    if (found !== null) {
      this.parts.sessions.end(found.person.id, found.session.id)
      this.parts.endings.end(`session:${found.session.id}`)
    }
    return response.headers.getSetCookie()
  }

  /** Ends every other session of this person. */
  async changePassword(change: { current: string; next: string }, from: Headers): Promise<Outcome> {
    const why = passwordProblem(change.next)
    if (why !== null) return { is: 'bad-password', why }
    const found = await this.parts.sessions.find(from)
    if (found === null) return { is: 'not-signed-in' }
    const body = { currentPassword: change.current, newPassword: change.next, revokeOtherSessions: true }
    const outcome = await outcomeOf(await this.post('/change-password', body, from))
    if (outcome.is === 'in') this.parts.endings.end(`person:${found.person.id}`)
    return outcome
  }

  /** For whom a link is: null for the first admin, `undefined` when it does not work (any more). */
  lookAtLink(secret: string): { name: string; email: string } | null | undefined {
    const link = this.parts.links.peek(secret)
    if (link === null) return undefined
    if (link.personId === null) return this.parts.people.hasAdmin ? undefined : null
    const person = this.parts.people.find(link.personId)
    return person === null || person.disabled ? undefined : { name: person.name, email: person.email }
  }

  /** Sets the password of whom the link is for, uses the link up, and signs in. */
  async setUp({ link, password, name, email }: SetUp, from: Headers): Promise<Outcome> {
    const whom = this.lookAtLink(link)
    if (whom === undefined) return { is: 'expired-link' }
    const why = passwordProblem(password)
    if (why !== null) return { is: 'bad-password', why }
    if (whom === null && (!name || !email)) return { is: 'failed' }
    if (whom === null && this.parts.people.isTaken(String(email))) return { is: 'taken' }
    const used = this.parts.links.use(link)
    if (used === null) return { is: 'expired-link' }
    const id = used.personId ?? (await this.firstAdmin(String(name), String(email)))
    if (id === null) return { is: 'expired-link' }
    await this.parts.people.setPassword(id, password)
    const person = this.parts.people.find(id)
    return this.signIn({ email: person?.email ?? '', password }, from)
  }

  /** Where the provider asks who comes. `to` is a path of ours. */
  async startOidc(to: string, from: Headers): Promise<{ url: string; cookies: readonly string[] } | null> {
    const { byProvider } = this.parts
    if (byProvider === null) return null
    const headers = new Headers(from)
    headers.delete('cookie')
    const body = { provider: 'oidc', callbackURL: to, errorCallbackURL: '/sign-in', disableRedirect: true }
    const response = await this.post('/sign-in/social', body, headers, byProvider())
    if (!response.ok) return null
    const { url } = (await response.json()) as { url?: string }
    return url === undefined ? null : { url, cookies: response.headers.getSetCookie() }
  }

  /** The provider sends people back here, by a GET: its state is bound to a cookie of this browser. */
  async finishOidc(query: string, from: Headers): Promise<Response | null> {
    const { byProvider } = this.parts
    if (byProvider === null) return null
    return byProvider().handler(
      new Request(`${this.parts.origin}/api/auth/callback/oidc${query}`, { headers: this.passed(from) }),
    )
  }

  private async firstAdmin(name: string, email: string): Promise<string | null> {
    const { people, links } = this.parts
    if (people.hasAdmin) return null
    const { person } = await people.add({ name, email, role: 'admin' })
    links.drop({ personId: person.id })
    return person.id
  }

  private passed(from: Headers): Headers {
    const headers = new Headers({ origin: this.parts.origin })
    for (const name of PASSED) {
      const value = from.get(name)
      if (value !== null) headers.set(name, value)
    }
    return headers
  }

  private post(path: string, body: object, from: Headers, library = this.parts.library): Promise<Response> {
    const headers = this.passed(from)
    headers.set('content-type', 'application/json')
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    return library.handler(new Request(`${this.parts.origin}/api/auth${path}`, init))
  }
}

/** The library's answer holds the session's token: only its cookies and what went wrong go on. */
async function outcomeOf(response: Response): Promise<Outcome> {
  if (response.ok) return { is: 'in', cookies: response.headers.getSetCookie() }
  if (response.status === 429) {
    return { is: 'too-many', waitMs: Number(response.headers.get('x-retry-after') ?? 60) * 1_000 }
  }
  const { code = '' } = (await response.json().catch(() => ({}))) as { code?: string }
  if (code === 'DISABLED') return { is: 'disabled' }
  if (code === 'CREDENTIAL_ACCOUNT_NOT_FOUND') return { is: 'no-password' }
  if (code === 'INVALID_EMAIL_OR_PASSWORD' || code === 'INVALID_EMAIL' || code === 'INVALID_PASSWORD')
    return { is: 'wrong' }
  if (code === 'PASSWORD_TOO_LONG') return { is: 'wrong' }
  return { is: response.status === 401 ? 'not-signed-in' : 'failed' }
}
