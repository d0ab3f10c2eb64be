import type { OwnedProcess } from '../../e2e/harness/owned-process.ts'

/** Everything that the demo started and has to take down again, newest first. */
export interface Household {
  readonly isClosing: boolean
  /** Adds a process. When it ends by itself, `onEnd` says what then. */
  add<T extends OwnedProcess>(process: T, onEnd: (how: number | NodeJS.Signals) => void): T
  /** Runs when everything closes, after the processes that came later. */
  onClose(work: () => Promise<void> | void): void
  /** A pause that closing cuts short; answers whether life goes on. */
  pause(ms: number): Promise<boolean>
  close(): Promise<void>
}

export function createHousehold(): Household {
  const closing = new AbortController()
  const tasks: (() => Promise<void> | void)[] = []
  const members = new Set<OwnedProcess>()
  let closed: Promise<void> | undefined

  async function takeDown(): Promise<void> {
    closing.abort()
    await Promise.all([...members].map((member) => member.stop()))
    for (const task of tasks.reverse()) await task()
  }

  return {
    get isClosing() {
      return closing.signal.aborted
    },
    add: (process, onEnd) => {
      members.add(process)
      void process.exited.then((how) => {
        members.delete(process)
        if (!closing.signal.aborted) onEnd(how)
      })
      return process
    },
    onClose: (work) => void tasks.push(work),
    pause: (ms) =>
      new Promise((resolve) => {
        const done = () => resolve(!closing.signal.aborted)
        setTimeout(done, ms)
        closing.signal.addEventListener('abort', done, { once: true })
      }),
    close: () => {
      closed ??= takeDown()
      return closed
    },
  }
}
