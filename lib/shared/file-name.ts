/** Names of files that people download: safe on every system, whatever an election is called. */
import type { Instant } from './clock.ts'

const LONGEST_PART = 80

/** `20260312T030000Z`, for a file's name. */
export const fileTime = (at: Instant) => `${at.slice(0, 19).replace(/[-:]/g, '')}Z`

/** Letters, digits, dots, dashes and underscores; never empty, and never hidden by a first dot. */
export function fileName(parts: readonly string[], extension: string): string {
  const safe = parts.map((part) => {
    const plain = part.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+|-+$/g, '')
    return plain === '' ? 'unnamed' : plain.slice(0, LONGEST_PART)
  })
  return `${safe.join('-')}.${extension}`
}
