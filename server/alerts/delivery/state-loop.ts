/** Tells one channel what holds: at once when it changed, and again and again while it stays so. */
import { backoffMs, sleep } from '../../../lib/shared/abort.ts'
import { type Clock, instant } from '../../../lib/shared/clock.ts'
import type { DeliveryError, Standing, StateChannel } from '../channels/channel.ts'
import { Bell } from './bell.ts'
import { asDeliveryError, type ChannelHealth } from './channel-health.ts'
import type { StopSignals } from './message-loop.ts'

const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 10_000
/** Changes come in crowds: so many are told with one push. */
const BETWEEN_PUSHES_MS = 200

export interface StateLoopParts {
  channel: StateChannel
  /** All that stands; what is not for this channel is left out here. */
  standing: () => readonly Standing[]
  health: ChannelHealth
  clock: Clock
}

/** Until the next push: `leastMs` also where something changes, so that nobody in trouble is hit the harder. */
interface Pause {
  againMs: number
  leastMs: number
}

const AT_ONCE: Pause = { againMs: 0, leastMs: 0 }

export class StateLoop {
  private readonly parts: StateLoopParts
  private readonly bell = new Bell()
  private failures = 0

  constructor(parts: StateLoopParts) {
    this.parts = parts
  }

  ring(): void {
    this.bell.ring()
  }

  async run({ stopping, cutShort }: StopSignals): Promise<void> {
    while (!stopping.aborted) {
      const { againMs, leastMs } = await this.push(cutShort)
      await sleep(leastMs, stopping)
      await this.bell.wait(Math.max(0, againMs - leastMs), stopping)
    }
  }

  private async push(cutShort: AbortSignal): Promise<Pause> {
    const { channel, health, clock } = this.parts
    try {
      const standing = this.told()
      if (standing.length === 0) return this.fine()
      const trouble = await channel.push(standing, instant(clock.nowMs()), cutShort)
      if (cutShort.aborted) return AT_ONCE
      health.took(trouble)
      return trouble === null ? this.fine() : this.retry(null)
    } catch (thrown) {
      if (cutShort.aborted) return AT_ONCE
      const error = asDeliveryError(thrown)
      health.refused(error.message)
      return this.retry(error)
    }
  }

  private fine(): Pause {
    this.failures = 0
    return { againMs: this.parts.channel.everyMs, leastMs: BETWEEN_PUSHES_MS }
  }

  /** Nothing of it is ever given up, since it is told anew each time. */
  private retry(error: DeliveryError | null): Pause {
    const { everyMs } = this.parts.channel
    const backMs = error?.permanent ? everyMs : backoffMs(this.failures, FIRST_RETRY_MS, LAST_RETRY_MS)
    this.failures += 1
    const leastMs = Math.min(everyMs, Math.max(FIRST_RETRY_MS, error?.retryAfterMs ?? 0))
    return { againMs: Math.min(everyMs, Math.max(backMs, leastMs)), leastMs }
  }

  private told(): Standing[] {
    const { channel, standing } = this.parts
    return standing().filter(({ alert: { stage, severity } }) => {
      return stage !== 'pending' && channel.severities.includes(severity)
    })
  }
}
