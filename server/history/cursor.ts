/** Where the next page begins: two integers, meaningless to callers. */
import { InvalidCursor } from './history.ts'

export type Position = readonly [bigint, bigint]

export function cursorOf(position: Position): string {
  return position.join('.')
}

export function parseCursor(cursor: string | undefined): Position | null {
  if (cursor === undefined) return null
  const match = /^(-?\d{1,18})\.(\d{1,19})$/.exec(cursor)
  if (match === null) throw new InvalidCursor(cursor)
  const position: Position = [BigInt(match[1] ?? 0), BigInt(match[2] ?? 0)]
  // SQLite's integers have 64 bits; a larger number was never handed out.
  if (position.some((part) => BigInt.asIntN(64, part) !== part)) throw new InvalidCursor(cursor)
  return position
}

export const clampLimit = (limit: number) => Math.min(1_000, Math.max(1, Math.trunc(limit) || 1))
