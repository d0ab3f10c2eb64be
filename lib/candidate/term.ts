/** One stretch of leadership as the work sees it: a token, a signal, and a proof that can be asked for. */
import type { FencingToken } from '../election/epoch.ts'
import type { Clock } from '../shared/clock.ts'
import { type EndReason, NotLeadingError } from './errors.ts'

export interface Leadership {
  /** Goes with every write, so that the resource can refuse an older one. Compares as (epoch, revision). */
  readonly token: FencingToken
  /**
   * Aborted when the work must end: leadership is not proven any more, or is about to be given up. Its reason
   * is a `NotLeadingError`. Reading `aborted` looks at the clock itself, so a frozen process wakes up to the truth;
   * a signal that `AbortSignal.any` makes of it hears of that only when the timers run.
   */
  readonly signal: AbortSignal
  /**
   * Returns while leadership is proven, throws `NotLeadingError` from the local deadline on. Synchronous: call it
   * right before each write. While draining it still returns, so that a write begun can be finished.
   */
  proveStillLeading(): void
  /** Puts a new value into the own key; the token stays. Rejects with `NotLeadingError`, or `EtcdError` when etcd refuses. */
  proclaim(value: string | Uint8Array): Promise<void>
}

export class Term implements Leadership {
  readonly token: FencingToken
  readonly signal: AbortSignal
  /** When the work last asked for a proof and got it; monotonic. */
  workedMs: number | null = null
  private readonly clock: Clock
  private readonly deadlineMs: number
  private readonly controller = new AbortController()
  private readonly onDeadline: () => void
  private readonly publish: (value: string | Uint8Array) => Promise<void>
  private untilMs: number
  private timer: ReturnType<typeof setTimeout> | undefined
  private over: NotLeadingError | null = null

  constructor(options: {
    token: FencingToken
    clock: Clock
    deadlineMs: number
    /** When the newest renewal that is proven was sent. */
    provenMs: number
    onDeadline: () => void
    publish: (value: string | Uint8Array) => Promise<void>
  }) {
    this.token = options.token
    this.clock = options.clock
    this.deadlineMs = options.deadlineMs
    this.onDeadline = options.onDeadline
    this.publish = options.publish
    this.untilMs = options.provenMs + options.deadlineMs
    this.signal = lazily(this.controller.signal, () => this.checkDeadline())
    this.arm()
  }

  /** Milliseconds until it stops by itself; 0 when it is over. */
  get leftMs(): number {
    this.checkDeadline()
    return this.over === null ? this.untilMs - this.clock.monoMs() : 0
  }

  get isOver(): boolean {
    return this.leftMs === 0
  }

  get endedBy(): EndReason | null {
    return this.over?.why ?? null
  }

  /** A renewal sent at `sentMs` is proven: the deadline moves. What has ended stays ended. */
  proven(sentMs: number): void {
    if (this.isOver) return
    this.untilMs = Math.max(this.untilMs, sentMs + this.deadlineMs)
    this.arm()
  }

  /** It is over: nothing proves leadership any more. */
  end(why: EndReason, detail: string): void {
    this.over ??= new NotLeadingError(why, this.token, detail)
    clearTimeout(this.timer)
    this.controller.abort(this.over)
  }

  /** The work shall end, while leadership is still held and proven. */
  drain(why: EndReason, detail: string): void {
    this.controller.abort(new NotLeadingError(why, this.token, detail))
  }

  // Bound, as the work likes to take them apart: `({ token, proveStillLeading }) => …`.
  readonly proveStillLeading = (): void => {
    this.checkDeadline()
    if (this.over !== null) throw this.over
    this.workedMs = this.clock.monoMs()
  }

  readonly proclaim = async (value: string | Uint8Array): Promise<void> => {
    this.proveStillLeading()
    try {
      await this.publish(value)
    } catch (error) {
      // What says that the seat is gone has ended the term by now.
      this.proveStillLeading()
      throw error
    }
  }

  private checkDeadline(): void {
    if (this.over !== null || this.clock.monoMs() < this.untilMs) return
    this.end('not renewed', 'no renewal was proven in time')
    this.onDeadline()
  }

  private arm(): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(
      () => {
        this.checkDeadline()
        if (this.over === null) this.arm()
      },
      Math.max(0, this.untilMs - this.clock.monoMs()),
    )
  }
}

/** The same signal, with a look at the clock before it answers whether it is aborted. */
function lazily(signal: AbortSignal, look: () => void): AbortSignal {
  const read = (name: 'aborted' | 'reason') => ({
    get: () => {
      look()
      return Reflect.get(AbortSignal.prototype, name, signal)
    },
  })
  return Object.defineProperties(signal, {
    aborted: read('aborted'),
    reason: read('reason'),
    throwIfAborted: {
      value: () => {
        look()
        AbortSignal.prototype.throwIfAborted.call(signal)
      },
    },
  })
}
