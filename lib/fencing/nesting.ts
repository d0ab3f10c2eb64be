import { AsyncLocalStorage } from 'node:async_hooks'
import { FencingError } from './errors.ts'

/** A write inside a write would wait for itself for ever; it is refused instead. One per guard. */
export function refuseNesting(): <R>(write: () => Promise<R>) => Promise<R> {
  const inside = new AsyncLocalStorage<{ isOpen: boolean }>()
  return async (write) => {
    if (inside.getStore()?.isOpen) {
      throw new FencingError('misuse', 'A write inside a write of the same fence: use the tx that work was given.')
    }
    const mark = { isOpen: true }
    try {
      return await inside.run(mark, write)
    } finally {
      mark.isOpen = false
    }
  }
}
