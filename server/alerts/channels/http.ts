/** One POST to somebody else's server: it may be slow, wrong, or send us elsewhere. */
import { DeliveryError } from './channel.ts'
import { plain } from './texts.ts'

export interface Post {
  url: string
  body: string
  headers?: Readonly<Record<string, string>>
  /** Never appear in an error, also where the other side repeats them. */
  secrets?: readonly string[]
  deadlineMs?: number
}

const DEADLINE_MS = 10_000
const MAX_ANSWER_BYTES = 64_000
const MAX_REDIRECTS = 3
const MAX_WORDS_CHARS = 200

/** About who may ask, where, or when: the very same message may be taken later. Any other 4xx is about the message. */
const MAY_PASS = new Set([401, 403, 404, 407, 408, 409, 421, 423, 425, 429])
const isPermanent = (status: number) => status >= 400 && status < 500 && !MAY_PASS.has(status)

/** Without path or query, which may hold a secret. */
export const hostOf = (url: string) => new URL(url).host

/** In seconds or as a date, by the other side's clock where it tells that. */
export function retryAfterMs(headers: Headers, nowMs: number): number | null {
  const value = headers.get('retry-after')?.trim()
  if (!value) return null
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000
  const at = Date.parse(value)
  const theirs = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(at) ? null : Math.max(0, at - (Number.isNaN(theirs) ? nowMs : theirs))
}

/** The first line of an answer, which is read no further than it is worth. */
async function firstLine(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk)
      bytes += chunk.byteLength
      if (bytes >= MAX_ANSWER_BYTES) break
    }
  } catch {
    // What came until then says enough.
  }
  const text = Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8')
  return (
    text
      .split(/[\r\n]+/)
      .map((line) => line.trim())
      .find((line) => line !== '') ?? ''
  )
}

/** Also as JSON writes them; the longest first, since one may be in another. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  const written = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
  return [...new Set(written)]
    .filter((secret) => secret !== '')
    .sort((a, b) => b.length - a.length)
    .reduce((left, secret) => left.replaceAll(secret, '[secret]'), text)
}

/** Whatever of an address may be a secret: all but its host. */
export function secretsOf(address: string): string[] {
  const { pathname, search, searchParams, username, password, href } = new URL(address)
  const parts = pathname.length > 1 ? [pathname, ...pathname.split('/').filter((part) => part.length >= 8)] : []
  return [address, href, ...parts, search, ...searchParams.values(), username, password]
}

/** A redirect keeps the method and the body only as 307 and 308, and stays with the host that was configured. */
function redirectOf(response: Response, from: string): string {
  const said = response.headers.get('location')
  const to = said !== null && URL.canParse(said, from) ? new URL(said, from) : null
  const { status } = response
  if (to !== null && (status === 307 || status === 308) && to.origin === new URL(from).origin) return to.href
  const where = to === null || to.origin === new URL(from).origin ? 'another address' : to.host
  throw new DeliveryError(
    `${hostOf(from)} answered ${status}, which leads to ${where}: configure the address to send to`,
  )
}

function unreachable(error: unknown, { url, secrets = [] }: Post): DeliveryError {
  const cause = (error as { cause?: { code?: unknown; message?: unknown } }).cause
  const said = String(cause?.code ?? cause?.message ?? (error as Error).message)
  const words = plain(withoutSecrets(said, [...secrets, ...secretsOf(url)]), MAX_WORDS_CHARS)
  return new DeliveryError(`${hostOf(url)} cannot be reached: ${words}`)
}

async function refusal(response: Response, { url, secrets = [] }: Post): Promise<DeliveryError> {
  const { status, headers } = response
  const words = plain(withoutSecrets(await firstLine(response), [...secrets, ...secretsOf(url)]), MAX_WORDS_CHARS)
  const waits = status === 429 || status === 503 ? retryAfterMs(headers, Date.now()) : null
  return new DeliveryError(`${hostOf(url)} answered ${status}${words === '' ? '' : `: ${words}`}`, {
    permanent: isPermanent(status),
    retryAfterMs: waits,
  })
}

async function attempt(post: Post, signal: AbortSignal): Promise<void> {
  let { url } = post
  for (let redirects = 0; ; redirects += 1) {
    const headers = { 'user-agent': 'Tenure', 'content-type': 'application/json', ...post.headers }
    const response = await fetch(url, { method: 'POST', redirect: 'manual', headers, body: post.body, signal })
    // Taken is taken, whatever comes of the rest, which is read so that the connection can serve again.
    if (response.ok) return void firstLine(response)
    if (response.status < 300 || response.status >= 400) throw await refusal(response, post)
    await response.body?.cancel().catch(() => {})
    if (redirects === MAX_REDIRECTS)
      throw new DeliveryError(`${hostOf(url)} redirects more than ${MAX_REDIRECTS} times`)
    url = redirectOf(response, url)
  }
}

/** Resolves on any 2xx. Rejects with `DeliveryError`, whose message names the host, the status and what was said. */
export async function post(request: Post, signal: AbortSignal): Promise<void> {
  const { url, deadlineMs = DEADLINE_MS } = request
  const deadline = AbortSignal.timeout(deadlineMs)
  try {
    await attempt(request, AbortSignal.any([signal, deadline]))
  } catch (error) {
    if (error instanceof DeliveryError) throw error
    if (signal.aborted) throw new DeliveryError(`sending to ${hostOf(url)} was cut short: Tenure stops`)
    if (deadline.aborted) throw new DeliveryError(`${hostOf(url)} did not answer within ${deadlineMs / 1_000} s`)
    throw unreachable(error, request)
  }
}
