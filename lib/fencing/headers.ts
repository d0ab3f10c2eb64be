/** The token of an HTTP request to a protected resource; described in docs/wire-format.md. */
import type { FencingToken } from '../election/epoch.ts'
import { FencingError } from './errors.ts'
import { formatToken, parseToken } from './token.ts'

const HEADER = 'Tenure-Fencing-Token'

/** Node's `request.headers`, a plain object of headers, or fetch's `Headers`. */
export type IncomingHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined }

/** For the request: `fetch(url, { headers: toHeaders(leadership.token) })`. */
export function toHeaders(token: FencingToken): { 'Tenure-Fencing-Token': string } {
  return { [HEADER]: formatToken(token) }
}

function valuesOf(headers: IncomingHeaders): string[] {
  if (typeof headers.get === 'function') {
    const value = headers.get(HEADER)
    return value === null ? [] : [value]
  }
  const named = Object.entries(headers).filter(([name]) => name.toLowerCase() === HEADER.toLowerCase())
  return named.flatMap(([, value]) => (value === undefined ? [] : value))
}

/**
 * The token of a request. Throws `FencingError`: `missing-token` (answer 428) without the header,
 * `bad-input` (answer 400) when it is sent twice or is not exactly `<epoch>.<revision>`.
 */
export function fromHeaders(headers: IncomingHeaders): FencingToken {
  const [value, ...more] = valuesOf(headers)
  if (value === undefined) {
    throw new FencingError('missing-token', `The request has no ${HEADER} header: send toHeaders(leadership.token).`)
  }
  // Node and fetch both join a header that was sent twice.
  if (more.length > 0 || value.includes(',')) {
    throw new FencingError('bad-input', `The request has more than one ${HEADER} header: send exactly one.`)
  }
  try {
    return parseToken(value)
  } catch (error) {
    throw new FencingError('bad-input', `Header ${HEADER}: ${(error as Error).message}`)
  }
}
