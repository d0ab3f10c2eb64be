/** What waits to be written, bounded: when the disk refuses for long, the newest is kept. */
export interface Dropped {
  fromMs: number
  toMs: number
  count: number
}

/** One thing to write for a cluster; `rows` is about how many rows it makes. */
export interface Pending<T> {
  cluster: string
  atMs: number
  rows: number
  work: T
}

export class Buffer<T> {
  private readonly maxRows: number
  private queue: Pending<T>[] = []
  private head = 0
  private rowCount = 0
  private readonly droppedOf = new Map<string, Dropped>()

  constructor(maxRows: number) {
    this.maxRows = maxRows
  }

  get rows(): number {
    return this.rowCount
  }

  get length(): number {
    return this.queue.length - this.head
  }

  push(pending: Pending<T>): void {
    this.queue.push(pending)
    this.rowCount += pending.rows
    while (this.rowCount > this.maxRows && this.length > 1) this.drop()
  }

  /** Counts what will never be written, so that a gap can say so. */
  noteDropped(pending: Pending<T>): void {
    const known = this.droppedOf.get(pending.cluster)
    this.droppedOf.set(pending.cluster, {
      fromMs: Math.min(known?.fromMs ?? pending.atMs, pending.atMs),
      toMs: Math.max(known?.toMs ?? pending.atMs, pending.atMs),
      count: (known?.count ?? 0) + pending.rows,
    })
  }

  peek(offset: number): Pending<T> | undefined {
    return this.queue[this.head + offset]
  }

  /** Forgets the first `count`: they are durable. */
  remove(count: number): void {
    for (let at = 0; at < count; at += 1) this.rowCount -= this.peek(at)?.rows ?? 0
    this.head += count
    this.compact()
  }

  get dropped(): ReadonlyMap<string, Dropped> {
    return this.droppedOf
  }

  clearDropped(): void {
    this.droppedOf.clear()
  }

  private drop(): void {
    const oldest = this.peek(0)
    if (oldest === undefined) return
    this.noteDropped(oldest)
    this.remove(1)
  }

  private compact(): void {
    if (this.head < 1024 || this.head * 2 < this.queue.length) return
    this.queue = this.queue.slice(this.head)
    this.head = 0
  }
}
