/** What every request passes before anything else sees it: the Host it names, and the headers of the answer. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import { CLIENT_HEADER } from './auth/client-address.ts'
import type { Config } from './config/schema.ts'
import { whyElsewhere } from './origin.ts'
import { pathOf } from './request-path.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Empty unless `header` is a host and at most a port: a URL would find one behind `@` or before `/` too. */
function hostName(header: string): string {
  if (/[/\\@?#\s]/.test(header) || !URL.canParse(`http://${header}`)) return ''
  return new URL(`http://${header}`).hostname
}

/**
 * Names under which this server may be asked for: anything else could be a page of another origin
 * whose name was made to point here (DNS rebinding).
 */
export function allowedHosts(config: Config): ReadonlySet<string> {
  const own =
    config.host === '0.0.0.0' || config.host === '::'
      ? []
      : [isIP(config.host) === 6 ? `[${config.host}]` : config.host]
  const published = config.publicUrl === undefined ? [] : [new URL(config.publicUrl).hostname]
  return new Set([...LOOPBACK, ...own, ...published])
}

type Asking = Pick<IncomingMessage, 'headers' | 'socket'>

const cameFrom = ({ socket }: Asking) => socket.remoteAddress?.replace(/^::ffff:/, '') ?? ''

/** With its port; a forwarded one counts only from a trusted proxy. */
function askedAuthority(request: Asking, config: Config): string {
  const forwarded = config.trustedProxies.includes(cameFrom(request)) ? request.headers['x-forwarded-host'] : undefined
  return String(forwarded ?? request.headers.host ?? '')
}

/** The Host asked for. */
export function askedHost(request: Asking, config: Config): string {
  return hostName(askedAuthority(request, config))
}

/** Where a request came from: behind trusted proxies, the last address that one of them was reached from. */
export function clientAddress(request: Asking, { trustedProxies }: Config): string {
  const hops = String(request.headers['x-forwarded-for'] ?? '').split(',')
  let address = cameFrom(request)
  while (trustedProxies.includes(address)) {
    const before = hops
      .pop()
      ?.trim()
      .replace(/^::ffff:/, '')
    if (!before || isIP(before) === 0) break
    address = before
  }
  return address
}

const isForwarded = ({ headers }: Asking) =>
  Object.keys(headers).some((name) => /^(forwarded|via|x-real-ip|x-forwarded-.*)$/.test(name))

/** A proxy on this machine would make everybody whom it lets through an admin. */
function whyNotOpen(request: Asking, { auth }: Config): string | null {
  if (auth !== 'loopback-open') return null
  const from = cameFrom(request)
  if (isForwarded(request) || !/^(127\.|::1$)/.test(from)) {
    return 'auth is loopback-open: only this machine may ask, and no proxy. Set auth to required (TENURE_AUTH).'
  }
  return null
}

const METHODS = new Set(['GET', 'HEAD', 'POST'])

/** What no page or procedure can answer. */
function whyRefused(request: IncomingMessage, config: Config): { status: number; why: string } | null {
  const { method = '', url = '' } = request
  if (!METHODS.has(method)) return { status: 405, why: `${method} is not answered here: use GET, HEAD or POST.` }
  try {
    decodeURIComponent(url)
  } catch {
    return { status: 400, why: 'The address has a % that begins no escape: write it as %25.' }
  }
  const why =
    whyNotOpen(request, config) ??
    whyElsewhere(request, {
      authority: askedAuthority(request, config),
      publicUrl: config.publicUrl,
      byProxy: config.trustedProxies.includes(cameFrom(request)),
    })
  return why === null ? null : { status: 403, why }
}

function contentSecurityPolicy(nonce: string, development: boolean): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    // Charts place their marks with style attributes; no style sheet of anybody else's can come in.
    `style-src 'self' 'unsafe-inline'`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${development ? ' ws:' : ''}`,
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** True when the request may go on; otherwise it has been answered. */
export function guard(
  request: IncomingMessage,
  response: ServerResponse,
  config: Config,
  context: { hosts: ReadonlySet<string>; development: boolean },
): boolean {
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('Referrer-Policy', 'same-origin')
  response.setHeader('X-Frame-Options', 'DENY')
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
  // What one person may see is kept by no cache; a stream says so in its own way.
  if (pathOf(request.url).startsWith('/api/')) response.setHeader('Cache-Control', 'no-store')
  const host = askedHost(request, config)
  if (!context.hosts.has(host)) {
    response.writeHead(421, { 'Content-Type': 'text/plain; charset=utf-8' })
    response.end(`Tenure is not served as "${host}": set publicUrl (TENURE_PUBLIC_URL) to the address people use.\n`)
    return false
  }
  const refused = whyRefused(request, config)
  if (refused !== null) {
    response.writeHead(refused.status, { 'Content-Type': 'text/plain; charset=utf-8' })
    response.end(`${refused.why}\n`)
    return false
  }
  const nonce = randomBytes(16).toString('base64')
  const policy = contentSecurityPolicy(nonce, context.development)
  response.setHeader('Content-Security-Policy', policy)
  // Next reads the nonce for its own scripts from the request.
  request.headers['content-security-policy'] = policy
  request.headers['x-nonce'] = nonce
  // Whatever the client sent: rate limits and the list of sessions go by it.
  request.headers[CLIENT_HEADER] = clientAddress(request, config)
  return true
}
