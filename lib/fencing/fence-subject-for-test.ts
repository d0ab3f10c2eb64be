/** What the contract of all guards is written with. */
import { afterEach, beforeEach } from 'vitest'
import type { FencingToken } from '../election/epoch.ts'
import type { FenceOptions, Guarded } from './fence.ts'
import { formatToken, parseToken } from './token.ts'

/** SQLite's work is synchronous, so steps are joined without making them promises. */
export function andThen<A, B>(value: A | Promise<A>, next: (value: A) => B | Promise<B>): B | Promise<B> {
  return value instanceof Promise ? value.then(next) : next(value)
}

export interface ContractTx {
  /** Adds a line to the protected resource. */
  append(line: string): void | Promise<void>
  runOnce<R>(key: string, work: () => R | Promise<R>): R | Promise<R>
}

export interface ContractFence {
  write<R>(guarded: Guarded, work: (tx: ContractTx) => R | Promise<R>): Promise<R>
  highest(resource: string): Promise<FencingToken | null>
  pruneRuns(older: { olderThanMs: number }): Promise<number>
  readonly rejected: number
}

export interface Subject {
  fence: ContractFence
  /** A guard over the same data; on a connection of its own where there are connections. */
  another(options?: FenceOptions): ContractFence
  /** The lines of the protected resource. */
  lines(): Promise<string[]>
  /** Makes every recorded run older. */
  age(byMs: number): Promise<void>
  close(): Promise<void> | void
}

export const at = (text: string, resource = 'settlement'): Guarded => ({ resource, token: parseToken(text) })

export type Open = () => Promise<Subject> | Subject

/** A fresh subject for each test, and short words for what the tests do with it. */
export function prepare(open: Open) {
  let subject: Subject
  beforeEach(async () => {
    subject = await open()
  })
  afterEach(() => subject.close())
  return {
    get subject() {
      return subject
    },
    get fence() {
      return subject.fence
    },
    write: (text: string, line = text, resource?: string) =>
      subject.fence.write(at(text, resource), (tx) => tx.append(line)),
    highest: async (resource = 'settlement') => {
      const token = await subject.fence.highest(resource)
      return token && formatToken(token)
    },
  }
}

export type Prepared = ReturnType<typeof prepare>
