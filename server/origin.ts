/**
 * Whether a request was made by a page of another site. A browser says so itself: by Origin on every
 * POST, and by Sec-Fetch-Site on everything where the connection is secure or stays on this machine.
 */
import type { IncomingMessage } from 'node:http'
import { pathOf } from './request-path.ts'

interface Own {
  /** The host and port that were asked for. */
  authority: string
  publicUrl: string | undefined
  /** A trusted proxy passed it on, which may speak https to the outside. */
  byProxy: boolean
}

/** These keep rules of their own: docs/api.md. */
const APART = new Set(['/api/reports', '/api/health'])
/** The provider sends people back here by a link; its state is bound to a cookie. */
const CALLBACK = '/api/auth/callback/oidc'

function isOwn(origin: string, { authority, publicUrl, byProxy }: Own): boolean {
  if (!URL.canParse(origin)) return false
  const schemes = byProxy ? ['http', 'https'] : ['http']
  const own = schemes.map((scheme) => `${scheme}://${authority}`).filter((url) => URL.canParse(url))
  return [...own, ...(publicUrl === undefined ? [] : [publicUrl])].some((url) => new URL(url).origin === origin)
}

/** null: it may go on. */
export function whyElsewhere({ method, url, headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>, own: Own) {
  const path = pathOf(url)
  if (APART.has(path) || (path === CALLBACK && method === 'GET')) return null
  const changes = method === 'POST'
  if (!changes && !path.startsWith('/api/')) return null
  const { origin, cookie, 'sec-fetch-site': site } = headers
  if (origin !== undefined) {
    if (isOwn(origin, own)) return null
    return `Requests from pages of ${origin} are refused: set publicUrl (TENURE_PUBLIC_URL) to the address people use.`
  }
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    return 'Requests from pages of other sites are refused.'
  }
  // Programs send neither; one that uses a browser's session must say for which page.
  const isUnknown = changes && site === undefined && cookie !== undefined && headers.authorization === undefined
  return isUnknown ? 'A POST with a cookie needs an Origin: scripts send an API token instead.' : null
}
