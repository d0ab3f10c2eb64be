/** Pages are for who may look: others are sent to sign in. The API answers for itself. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Auth } from './auth/auth.ts'
import { pathOf } from './request-path.ts'

/** What the sign-in page itself is made of, and what has rules of its own. */
const OPEN = /^\/(api\/|metrics$|_next\/|sign-in$|set-up$|icon\.svg$|favicon\.ico$)/

function headersOf({ headers }: IncomingMessage): Headers {
  const own = new Headers()
  for (const name of ['cookie', 'authorization']) {
    const value = headers[name]
    if (typeof value === 'string') own.set(name, value)
  }
  return own
}

/** True when the request may go on; otherwise it has been answered. */
export async function gate(request: IncomingMessage, response: ServerResponse, auth: Auth): Promise<boolean> {
  const path = pathOf(request.url)
  if (OPEN.test(path)) return true
  const actor = await auth.whoIs(headersOf(request))
  if (actor !== null && actor !== 'bad-token') return true
  const to = request.url === '/' ? '' : `?to=${encodeURIComponent(request.url ?? '/')}`
  response.writeHead(307, { Location: `/sign-in${to}`, 'Cache-Control': 'no-store' })
  response.end()
  return false
}
