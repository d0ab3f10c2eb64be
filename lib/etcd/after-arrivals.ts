/**
 * Calls `late` once what has arrived already was read. A process that was held up runs its timers before it reads
 * its sockets: without this, every call in flight would be given up with its answer lying there.
 */
export function afterArrivals(late: () => void): void {
  setImmediate(() => setImmediate(late))
}
