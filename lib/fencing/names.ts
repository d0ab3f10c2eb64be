/** Names of resources and keys of runs: the same bytes for every writer and every database, or refused. */
import { utf8 } from '../shared/bytes.ts'
import { FencingError } from './errors.ts'

const MAX_BYTES = 512
/** PostgreSQL's text holds no NUL; the others cannot be seen in a log line. */
const CONTROL = /\p{Cc}/u

function problemOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return `is ${value === null ? 'null' : `of type ${typeof value}`}: give a string`
  if (value === '') return 'is empty: name what one leader owns, for example "settlement"'
  if (value.trim() !== value) return `begins or ends with a space (${JSON.stringify(value)}): trim it`
  // Two different lone surrogates would be stored as the same replacement character.
  if (!value.isWellFormed()) return 'holds half of a surrogate pair: it cannot be stored as UTF-8'
  if (CONTROL.test(value)) return `holds a control character (${JSON.stringify(value)}): use printable text`
  const size = utf8(value).length
  return size > MAX_BYTES ? `takes ${size} bytes: at most ${MAX_BYTES} are allowed` : undefined
}

/** `value` itself, or a `FencingError` (`bad-input`) that begins with "The <what> …" and says the fix. */
export function checkName(what: 'resource' | 'key', value: unknown): string {
  const problem = problemOf(value)
  if (problem !== undefined) throw new FencingError('bad-input', `The ${what} ${problem}.`)
  return value as string
}
