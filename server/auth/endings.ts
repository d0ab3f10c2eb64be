/** Tells a running stream that who opened it may no longer look: signed out, disabled, or revoked. */
export type EndKey = `person:${string}` | `session:${string}` | `token:${string}`

export class Endings {
  private readonly listeners = new Map<EndKey, Set<() => void>>()

  /** Calls `listener` once when any of `keys` ends; returns what takes it away. */
  on(keys: readonly EndKey[], listener: () => void): () => void {
    for (const key of keys) {
      const own = this.listeners.get(key) ?? new Set()
      this.listeners.set(key, own.add(listener))
    }
    return () => {
      for (const key of keys) {
        const own = this.listeners.get(key)
        own?.delete(listener)
        if (own?.size === 0) this.listeners.delete(key)
      }
    }
  }

  end(key: EndKey): void {
    for (const listener of [...(this.listeners.get(key) ?? [])]) listener()
  }

  get size(): number {
    return this.listeners.size
  }
}
