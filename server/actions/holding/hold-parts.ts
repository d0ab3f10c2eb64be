/** What those who hold heads share. */
import type { ActionParts } from '../parts.ts'

export type KeeperParts = Pick<ActionParts, 'audit' | 'recorder' | 'clock' | 'log' | 'signal'>

const AT_ONCE = 16

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** A few at a time: etcd must answer others meanwhile. */
export async function inTurn<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = all[Symbol.iterator]()
  await Promise.all(
    Array.from({ length: Math.min(AT_ONCE, all.length) }, async () => {
      for (const one of left) await work(one)
    }),
  )
}
