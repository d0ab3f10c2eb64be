/** Where the next page begins: integers, meaningless to callers. */
import { InvalidCursor } from './history.ts'

export type Position = readonly [bigint, bigint]

export function cursorOf(position: readonly bigint[]): string {
  return position.join('.')
}

export function parseCursor(cursor: string | undefined): Position | null {
  const parts = parseParts(cursor, 2)
  return parts === null ? null : [parts[0] ?? 0n, parts[1] ?? 0n]
}

/** Only the first integer may be negative. */
export function parseParts(cursor: string | undefined, count: number): bigint[] | null {
  if (cursor === undefined) return null
  if (!/^-?\d{1,18}(\.\d{1,19})*$/.test(cursor)) throw new InvalidCursor(cursor)
  const parts = cursor.split('.').map(BigInt)
  // SQLite's integers have 64 bits; a larger number was never handed out.
  const fits = parts.every((part) => BigInt.asIntN(64, part) === part)
  if (parts.length !== count || !fits) throw new InvalidCursor(cursor)
  return parts
}

export const clampLimit = (limit: number) => Math.min(1_000, Math.max(1, Math.trunc(limit) || 1))
