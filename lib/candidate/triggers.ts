/** Watches that only ring: what they tell of is read again, so none of them can lie. */
import type { KeySpan, Notice, NoticePort } from '../election/ports.ts'
import type { Revision } from '../election/types.ts'
import { backoffMs } from '../shared/abort.ts'
import { latin1 } from '../shared/bytes.ts'
import { nextDecimal } from '../shared/decimal.ts'
import type { Bell } from './bell.ts'

export class Triggers {
  private readonly etcd: NoticePort
  private readonly bell: Bell
  private readonly stops = new Map<string, () => void>()
  private readonly timers = new Set<ReturnType<typeof setTimeout>>()
  private losses = 0

  constructor(etcd: NoticePort, bell: Bell) {
    this.etcd = etcd
    this.bell = bell
  }

  /** Rings for these spans and no others; those that are new, for everything after the revision `seen`. */
  watch(spans: readonly KeySpan[], seen: Revision): void {
    const wanted = new Map(spans.map((span) => [`${latin1(span.key)}\u0000${latin1(span.end)}`, span]))
    for (const [name, stop] of this.stops) {
      if (wanted.has(name)) continue
      stop()
      this.stops.delete(name)
    }
    const from = nextDecimal(seen) as Revision
    for (const [name, span] of wanted) {
      if (this.stops.has(name)) continue
      this.stops.set(
        name,
        this.etcd.notice(span, from, (notice) => this.hear(name, notice)),
      )
    }
  }

  /** Rings after a while: for what could not be asked now. */
  ringLater(ms: number): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      this.bell.ring()
    }, ms)
    this.timers.add(timer)
  }

  close(): void {
    for (const timer of this.timers) clearTimeout(timer)
    for (const stop of this.stops.values()) stop()
    this.stops.clear()
  }

  private hear(name: string, notice: Notice): void {
    if (notice === 'changed') {
      this.losses = 0
      this.bell.ring()
      return
    }
    this.stops.delete(name)
    // A watch that is refused again and again must not become a storm of reads.
    this.ringLater(backoffMs(this.losses, 50, 2_000))
    this.losses += 1
  }
}
