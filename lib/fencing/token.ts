/** A fencing token as text, and what is allowed in one. Never a double: revisions go to 2^63 - 1. */
import type { FencingToken } from '../election/epoch.ts'
import type { Revision } from '../election/types.ts'
import { compareDecimal } from '../shared/decimal.ts'
import { FencingError } from './errors.ts'

/** etcd's revisions are signed 64-bit numbers. */
const HIGHEST_REVISION = '9223372036854775807'
const DECIMAL = /^(0|[1-9]\d*)$/

const bad = (message: string) => new FencingError('bad-input', message)

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : `${value} (${typeof value})`
}

function checkRevision(value: unknown): Revision {
  if (typeof value !== 'string') {
    throw bad(`The token's revision is ${shown(value)}: give the create revision as a decimal string, never a number.`)
  }
  if (!DECIMAL.test(value)) {
    throw bad(
      `The token's revision is ${shown(value)}: give decimal digits alone, without a sign, spaces or leading zeros.`,
    )
  }
  if (value === '0') throw bad("The token's revision is 0: etcd's begin at 1; is this a leadership that was never won?")
  if (compareDecimal(value, HIGHEST_REVISION) > 0) {
    throw bad(`The token's revision is ${value.slice(0, 60)}: etcd's end at ${HIGHEST_REVISION} (2^63 - 1).`)
  }
  return value as Revision
}

function checkEpoch(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0 || Object.is(value, -0)) {
    throw bad(`The token's epoch is ${shown(value)}: give a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`)
  }
  return value
}

/** A copy that cannot change while it is used. Throws `FencingError` (`bad-input`) naming the part and the fix. */
export function checkToken(token: unknown): FencingToken {
  if (typeof token !== 'object' || token === null) {
    throw bad(`The token is ${shown(token)}: give { epoch, revision }, as leadership.token is, or parseToken(text).`)
  }
  const { epoch, revision } = token as Record<string, unknown>
  return Object.freeze({ epoch: checkEpoch(epoch), revision: checkRevision(revision) })
}

/** `<epoch>.<revision>`, for example `0.1234`. Throws as `checkToken` does. */
export function formatToken(token: FencingToken): string {
  const { epoch, revision } = checkToken(token)
  return `${epoch}.${revision}`
}

/** The inverse of `formatToken`; nothing else is accepted. Throws `FencingError` (`bad-input`). */
export function parseToken(text: string): FencingToken {
  if (typeof text !== 'string') throw bad(`The token is ${shown(text)}: give text such as "0.1234".`)
  const [epoch = '', revision, ...rest] = text.split('.')
  if (revision === undefined || rest.length > 0 || !DECIMAL.test(epoch)) {
    throw bad(`The token is ${shown(text)}: expected <epoch>.<revision> in decimal digits, for example "0.1234".`)
  }
  if (compareDecimal(epoch, String(Number.MAX_SAFE_INTEGER)) > 0) {
    throw bad(`The token's epoch is ${epoch.slice(0, 60)}: it ends at ${Number.MAX_SAFE_INTEGER}.`)
  }
  return checkToken({ epoch: Number(epoch), revision })
}
