/** Waiting that ends when told to. */

/** Resolves after `ms`, or at once when `signal` aborts; never rejects. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
  })
}

/** Delay before attempt `n` (0 is the first retry): exponential from `baseMs` to `maxMs`, with full jitter over the upper half. */
export function backoffMs(n: number, baseMs = 100, maxMs = 5_000, random: () => number = Math.random): number {
  const ceiling = Math.min(maxMs, baseMs * 2 ** Math.min(n, 20))
  return ceiling / 2 + (ceiling / 2) * random()
}
