/** How `lead` is called, and the ways in which it rejects that are not etcd's. */
import { EtcdError } from '../election/ports.ts'
import type { Work } from './running.ts'

const NEVER = new AbortController().signal

/** Nothing else gives up the calls of a candidate. */
export function isClosed(error: unknown): boolean {
  return error instanceof EtcdError && error.kind === 'aborted'
}

/** What would otherwise be noticed only when elected, or never. */
export function checkedSignal(work: Work, options: { signal?: AbortSignal }): AbortSignal {
  if (typeof work !== 'function') throw new TypeError('lead() needs the work: a function that is called when elected')
  if (options instanceof AbortSignal) throw new TypeError('lead() was given a bare signal: give it as { signal }')
  const signal = options?.signal ?? NEVER
  if (!(signal instanceof AbortSignal)) throw new TypeError('the signal given to lead() is no AbortSignal')
  return signal
}

export class WorkFailed extends Error {
  constructor(cause: unknown) {
    super('the work failed', { cause })
  }
}

export class WorkHangs extends Error {
  constructor(drainMs: number) {
    super(`the work did not end within ${drainMs} ms of being told; its lease is left to expire`)
  }
}

export class ClientClosed extends Error {
  constructor(cause: unknown) {
    super('the etcd client was closed while lead() ran: abort its signal and await lead() before close()', { cause })
  }
}
