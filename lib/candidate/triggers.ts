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
  private readonly timers = new Map<number, ReturnType<typeof setTimeout>>()
  private losses = 0
  private isLossPending = false

  constructor(etcd: NoticePort, bell: Bell) {
    this.etcd = etcd
    this.bell = bell
  }

  /** Rings for these spans and no others; those that are new, for everything after the revision `seen`. */
  watch(spans: readonly KeySpan[], seen: Revision): void {
    this.isLossPending = false
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

  /** Rings after a while: for what could not be asked now. Asked again meanwhile, it still rings once. */
  ringLater(ms: number): void {
    if (this.timers.has(ms)) return
    const ring = () => {
      this.timers.delete(ms)
      this.bell.ring()
    }
    this.timers.set(ms, setTimeout(ring, ms))
  }

  close(): void {
    for (const timer of this.timers.values()) clearTimeout(timer)
    this.timers.clear()
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
    // All watches end with their stream: that is one loss.
    if (this.isLossPending) return
    this.isLossPending = true
    // A watch that is refused again and again must not become a storm of reads.
    this.ringLater(backoffMs(this.losses, 50, 2_000))
    this.losses += 1
  }
}
