import type { FencingToken } from '../election/epoch.ts'

/**
 * What went wrong, closed: `stale-token` a newer leader wrote before · `missing-token` the request carries
 * none · `bad-input` a value that can never be right · `misuse` the call breaks a rule that the guard needs ·
 * `busy` the lock was not free in time, nothing was written.
 */
export type FencingErrorCode = 'stale-token' | 'missing-token' | 'bad-input' | 'misuse' | 'busy'

export class FencingError extends Error {
  readonly code: FencingErrorCode

  constructor(code: FencingErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'FencingError'
    this.code = code
  }
}

/** The write was refused and nothing of it is stored: `accepted` is newer than `token`. Do not try again. */
export class StaleTokenError extends FencingError {
  readonly resource: string
  /** The token that was refused. */
  readonly token: FencingToken
  /** The highest token that the resource has accepted. */
  readonly accepted: FencingToken

  constructor(resource: string, token: FencingToken, accepted: FencingToken) {
    const held = `${accepted.epoch}.${accepted.revision}`
    super(
      'stale-token',
      `Stale fencing token ${token.epoch}.${token.revision} for "${resource}": it has accepted ${held} ` +
        '(epoch.revision). A newer leader writes now: stop working, do not try again.',
    )
    this.name = 'StaleTokenError'
    this.resource = resource
    this.token = token
    this.accepted = accepted
  }
}
