/** Waits for a time or for being rung, whichever is first. What rings before anybody waits is not lost. */
export class Bell {
  private isRung = false
  private wake: (() => void) | null = null

  ring(): void {
    this.isRung = true
    this.wake?.()
  }

  /** Resolves after `ms` at the latest; at once when `signal` aborts. Never rejects. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (ms > 0 && !this.isRung && !signal.aborted) await this.asleep(ms, signal)
    this.isRung = false
  }

  private asleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        this.wake = null
        resolve()
      }
      const timer = setTimeout(done, ms)
      signal.addEventListener('abort', done, { once: true })
      this.wake = done
    })
  }
}
