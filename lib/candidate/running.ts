import type { Leadership } from './term.ts'

/** What runs while this instance leads. It ends when `leadership.signal` is aborted. */
export type Work = (leadership: Leadership) => Promise<void> | void

/** One call of the work. It never rejects: how it ended is asked of it. */
export class Running {
  settled = false
  failure: { error: unknown } | null = null
  readonly done: Promise<void>

  constructor(work: Work, leadership: Leadership, onSettled: () => void) {
    const call = async () => work(leadership)
    this.done = call()
      .catch((error: unknown) => {
        this.failure = { error }
      })
      .then(() => {
        this.settled = true
        onSettled()
      })
  }

  /** Whether it has ended, waiting for that no longer than `ms`. */
  async within(ms: number): Promise<boolean> {
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    await Promise.race([this.done, late])
    clearTimeout(timer)
    return this.settled
  }
}
