/** Rings when something that a loop stands on may have changed. Rings between two waits are one. */
export class Bell {
  private rung = false
  private wake = () => {}

  ring(): void {
    this.rung = true
    this.wake()
  }

  /** Resolves at the next ring, or at once after one that nobody heard. */
  async next(): Promise<void> {
    if (!this.rung) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.wake = resolve
      await promise
    }
    this.rung = false
  }

  /** The same, ended early by `signal`; false when it is aborted. */
  async nextOr(signal: AbortSignal): Promise<boolean> {
    const ring = () => this.ring()
    signal.addEventListener('abort', ring, { once: true })
    if (!signal.aborted) await this.next()
    signal.removeEventListener('abort', ring)
    return !signal.aborted
  }
}
