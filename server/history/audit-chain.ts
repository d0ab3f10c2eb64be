/** Each entry's hash covers the entry before: one that was changed, removed or put in breaks the chain from there on. */
import { createHash } from 'node:crypto'

/** Before the first entry. */
export const NO_HASH = '0'.repeat(64)

export function chainHash(previous: string, body: string): string {
  return createHash('sha256').update(previous).update('\n').update(body).digest('hex')
}
