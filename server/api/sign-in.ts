/** `/api/auth`: in, out, and the links by which a password is set. The library behind it is not reachable otherwise. */
import { z } from 'zod'
import type { Accounts } from '../auth/auth.ts'
import type { Outcome } from '../auth/entrance.ts'
import type { Runtime } from '../runtime-slot.ts'
import { readBody } from './request-body.ts'
import { SignInRecord } from './sign-in-record.ts'

const BODY = { mostBytes: 16_384, withinMs: 10_000 }
const text = z.string().max(500)

const bodies = {
  'sign-in': z.object({ email: text, password: text }),
  'sign-out': z.object({}),
  'change-password': z.object({ current: text, next: text }),
  link: z.object({ link: text }),
  'set-up': z.object({
    link: text,
    password: text,
    name: z.string().trim().min(1).max(80).optional(),
    email: z.email().max(200).optional(),
  }),
  oidc: z.object({ to: text }),
}
type Path = keyof typeof bodies
type BodyOf<P extends Path> = z.infer<(typeof bodies)[P]>

function reply(status: number, body: object, cookies: readonly string[] = []): Response {
  const response = Response.json(body, { status, headers: { 'Cache-Control': 'no-store' } })
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

const STATUS: Readonly<Record<Exclude<Outcome['is'], 'in'>, number>> = {
  wrong: 401,
  'not-signed-in': 401,
  disabled: 403,
  'no-password': 409,
  taken: 409,
  'expired-link': 410,
  'bad-password': 422,
  'too-many': 429,
  failed: 400,
}

function told(outcome: Outcome): Response {
  if (outcome.is === 'in') return reply(200, { ok: true }, outcome.cookies)
  const { is: code, ...rest } = outcome
  const response = reply(STATUS[code], { code, ...rest })
  if (outcome.is === 'too-many') response.headers.set('Retry-After', String(Math.ceil(outcome.waitMs / 1_000)))
  return response
}

/** A path of ours: `//elsewhere` and `/\elsewhere` are addresses of other hosts. */
export function ownPath(to: string): string {
  const base = 'http://tenure.invalid'
  return to.startsWith('/') && URL.canParse(to, base) && new URL(to, base).origin === base ? to : '/'
}

type Handlers = { [P in Path]: (body: BodyOf<P>, from: Headers) => Promise<Response> }

const handlersOf = ({ entrance, sessions, people }: Accounts, record: SignInRecord): Handlers => ({
  'sign-in': async (who, from) => {
    const outcome = await entrance.signIn(who, from)
    record.signIn(who.email, outcome, from)
    return told(outcome)
  },
  'sign-out': async (_, from) => {
    const found = await sessions.find(from)
    const cookies = await entrance.signOut(from)
    record.signOut(found?.person ?? null, from)
    return reply(200, { ok: true }, cookies)
  },
  'change-password': async (change, from) => {
    const found = await sessions.find(from)
    const outcome = await entrance.changePassword(change, from)
    record.changePassword(found?.person ?? null, outcome, from)
    return told(outcome)
  },
  link: async ({ link }) => {
    const whom = entrance.lookAtLink(link)
    return whom === undefined ? told({ is: 'expired-link' }) : reply(200, { whom })
  },
  'set-up': async (setUp, from) => {
    const email = entrance.lookAtLink(setUp.link)?.email ?? setUp.email ?? ''
    const outcome = await entrance.setUp(setUp, from)
    record.useLink(outcome.is === 'expired-link' ? null : people.findByEmail(email), outcome, from)
    return told(outcome)
  },
  oidc: async ({ to }, from) => {
    const started = await entrance.startOidc(ownPath(to), from)
    return started === null ? reply(502, { code: 'provider' }) : reply(200, { url: started.url }, started.cookies)
  },
})

async function post<P extends Path>(path: P, handlers: Handlers, request: Request): Promise<Response> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  // A form of another site can send everything but this type.
  if (type !== 'application/json') return reply(415, { code: 'failed', why: 'send Content-Type: application/json' })
  const read = await readBody(request, BODY)
  if ('refused' in read) return reply(413, { code: 'failed', why: 'the body is too large, too slow or no text' })
  let json: unknown
  try {
    json = JSON.parse(read.text)
  } catch {
    return reply(400, { code: 'failed', why: 'the body is not JSON' })
  }
  const body = bodies[path].safeParse(json)
  if (!body.success)
    return reply(400, { code: 'failed', why: body.error.issues.map(({ path }) => path.join('.')).join() })
  return handlers[path](body.data as BodyOf<P>, request.headers)
}

export async function answerSignIn(request: Request, runtime: Runtime): Promise<Response> {
  const { accounts } = runtime.auth
  if (accounts === null) return reply(409, { code: 'off', why: 'nobody signs in here: auth is loopback-open' })
  const { pathname, search } = new URL(request.url)
  const path = pathname.replace(/^\/api\/auth\//, '')
  const record = new SignInRecord(accounts, runtime.actions.people)
  if (path === 'callback/oidc' && request.method === 'GET') {
    const finished = await accounts.entrance.finishOidc(search, request.headers)
    if (finished !== null) {
      await record.byProvider(finished, request.headers)
      return finished
    }
  }
  if (!Object.hasOwn(bodies, path)) return reply(404, { code: 'failed', why: 'there is nothing at this address' })
  if (request.method !== 'POST') return reply(405, { code: 'failed', why: 'use POST' })
  return post(path as Path, handlersOf(accounts, record), request)
}
