/** One lease and its renewals. A new session has a new lease; none is ever shared by two elections. */
import type { LeaseId } from '../election/types.ts'
import { sleep } from '../shared/abort.ts'
import { SeatLost } from './errors.ts'
import type { Settings, Timing } from './options.ts'

export interface Renewal {
  /** Monotonic time at which it was sent. */
  sentMs: number
  rttMs: number
}

export interface SessionHooks {
  /** After each acknowledged renewal. */
  renewed(renewal: Renewal): void
  /** A renewal that was not answered in time. */
  missed(error: Error): void
}

export class Session {
  readonly lease: LeaseId
  readonly timing: Timing
  /** Monotonic time at which the newest acknowledged renewal, or the grant, was sent. */
  ackedMs: number
  private readonly settings: Settings
  private readonly hooks: SessionHooks
  private readonly gone = new AbortController()
  private readonly closing = new AbortController()

  private constructor(
    settings: Settings,
    hooks: SessionHooks,
    granted: { lease: LeaseId; sentMs: number; ttlMs: number },
  ) {
    this.settings = settings
    this.hooks = hooks
    this.lease = granted.lease
    this.timing = settings.timing(granted.ttlMs)
    this.ackedMs = granted.sentMs
    void this.renewForever()
  }

  /** Rejects with `EtcdError`, and with `CandidateOptionsError` when the granted TTL does not suit the options. */
  static async open(settings: Settings, hooks: SessionHooks): Promise<Session> {
    const { callMs } = settings.timing(settings.ttlSeconds * 1_000)
    const sentMs = settings.clock.monoMs()
    const { lease, grantedMs } = await settings.etcd.grant(settings.ttlSeconds, { deadlineMs: callMs })
    return new Session(settings, hooks, { lease, sentMs, ttlMs: grantedMs })
  }

  /** Aborted when etcd says that the lease is gone; its reason is a `SeatLost`. */
  get lost(): AbortSignal {
    return this.gone.signal
  }

  /** Whether a leader may still stand on a renewal that was sent then. */
  isFresh(sentMs: number): boolean {
    return this.settings.clock.monoMs() < sentMs + this.timing.deadlineMs
  }

  /** Ends the renewals; the lease stays until it is revoked or expires. */
  close(): void {
    this.closing.abort()
  }

  private async renewForever(): Promise<void> {
    const { clock } = this.settings
    const signal = AbortSignal.any([this.closing.signal, this.gone.signal])
    let dueMs = this.ackedMs + this.timing.renewEveryMs
    let failures = 0
    while (!signal.aborted) {
      await sleep(Math.max(0, dueMs - clock.monoMs()), signal)
      if (signal.aborted) return
      failures = (await this.renew()) ? 0 : failures + 1
      // Another endpoint is asked at once: the time until the deadline may be just enough for it.
      if (failures === 0) dueMs = this.ackedMs + this.timing.renewEveryMs
      else dueMs = clock.monoMs() + (failures === 1 ? 0 : this.retryMs())
    }
  }

  private async renew(): Promise<boolean> {
    const { clock, etcd } = this.settings
    const sentMs = clock.monoMs()
    try {
      const ttlMs = await etcd.renew(this.lease, { deadlineMs: this.timing.callMs })
      if (ttlMs === 0) {
        this.gone.abort(new SeatLost('lease gone', 'the lease is gone: it expired or was revoked'))
        return false
      }
      this.ackedMs = sentMs
      this.hooks.renewed({ sentMs, rttMs: clock.monoMs() - sentMs })
      return true
    } catch (error) {
      if (!this.closing.signal.aborted) this.hooks.missed(error as Error)
      return false
    }
  }

  /** Soon enough for several tries before the deadline, and not in step with others. */
  private retryMs(): number {
    const spanMs = Math.max(50, Math.min(2_500, this.timing.renewEveryMs / 4))
    return spanMs * (0.5 + Math.random() / 2)
  }
}
