/**
 * Takes alerts to whoever must know. Each channel has a loop of its own: one that is down or slow holds up no other.
 * Messages wait in the outbox, which survives; whether one was taken is written down after the other side said so,
 * so that a crash in between sends it twice, under the same id, and never loses it.
 */
import type { ChannelShape, Severity } from '../../../lib/election/alerts.ts'
import { type Clock, type Instant, instant } from '../../../lib/shared/clock.ts'
import type { Outbox } from '../../history/outbox.ts'
import type { Log } from '../../watch/log.ts'
import type { Channel, Links, Standing } from '../channels/channel.ts'
import { testAlert, testMessage } from '../channels/test-alert.ts'
import { asDeliveryError, ChannelHealth } from './channel-health.ts'
import { MessageLoop } from './message-loop.ts'
import { StateLoop } from './state-loop.ts'

const STOP_WITHIN_MS = 2_000

export interface DispatcherParts {
  channels: readonly Channel[]
  outbox: Outbox
  /** What fires, and what has been resolved within the last 15 minutes. */
  standing: () => readonly Standing[]
  clock: Clock
  log: Log
  /** Where a test leads to: the page of alerts. */
  testLinks?: Links
}

export interface TestResult {
  delivered: boolean
  /** Why it was not; or what went wrong although it was. */
  error?: string
  tookMs: number
}

interface Line {
  channel: Channel
  health: ChannelHealth
  loop: MessageLoop | StateLoop
}

const NOWHERE: Links = { alert: null, runbook: null }

export class Dispatcher {
  private readonly parts: DispatcherParts
  private readonly lines: ReadonlyMap<string, Line>
  private readonly stopping = new AbortController()
  private readonly cutShort = new AbortController()
  private running: Promise<unknown> = Promise.resolve()
  private tests = 0

  constructor(parts: DispatcherParts) {
    this.parts = parts
    this.lines = new Map(parts.channels.map((channel) => [channel.name, this.lineOf(channel)]))
  }

  private lineOf(channel: Channel): Line {
    const { outbox, standing, clock, log } = this.parts
    const health = new ChannelHealth(channel.name, clock, log)
    const loop =
      channel.type === 'alertmanager'
        ? new StateLoop({ channel, standing, health, clock })
        : new MessageLoop({ channel, outbox, health, clock })
    return { channel, health, loop }
  }

  start(): void {
    const signals = { stopping: this.stopping.signal, cutShort: this.cutShort.signal }
    const run = ({ channel, loop }: Line) =>
      loop.run(signals).catch((error: unknown) => {
        this.parts.log.error({ channel: channel.name, error }, 'a defect ended what sends to this channel')
      })
    this.running = Promise.all([...this.lines.values()].map(run))
  }

  /** What stands has changed: channels that are told of the state are told at once. */
  changed(): void {
    for (const { loop } of this.lines.values()) if (loop instanceof StateLoop) loop.ring()
  }

  troubleOf(name: string): string | null {
    return this.lines.get(name)?.health.trouble ?? null
  }

  /** In this run. */
  lastDeliveredAt(name: string): Instant | null {
    return this.lines.get(name)?.health.lastDeliveredAt ?? null
  }

  shapes(): ChannelShape[] {
    return [...this.lines.values()].map(({ channel, health }) => ({
      name: channel.name,
      type: channel.type,
      to: channel.to,
      severities: channel.severities,
      waiting: channel.type === 'alertmanager' ? 0 : this.parts.outbox.waiting(channel.name),
      lastDeliveredAt: health.lastDeliveredAt,
      trouble: health.trouble,
    }))
  }

  /** At once, past the queue. A channel that takes it is tried with what waits. */
  async test(name: string): Promise<TestResult> {
    const { clock } = this.parts
    const startedMs = clock.monoMs()
    const took = () => Math.round(clock.monoMs() - startedMs)
    const line = this.lines.get(name)
    if (line === undefined) return { delivered: false, error: `there is no channel "${name}"`, tookMs: took() }
    try {
      const trouble = await this.sendTest(line.channel)
      line.health.took(trouble)
      if (line.loop instanceof MessageLoop) line.loop.tryNow()
      return { delivered: true, ...(trouble === null ? {} : { error: trouble }), tookMs: took() }
    } catch (thrown) {
      const { message } = asDeliveryError(thrown)
      if (!this.cutShort.signal.aborted) line.health.refused(message)
      return { delivered: false, error: message, tookMs: took() }
    }
  }

  private sendTest(channel: Channel): Promise<string | null> {
    const { clock, testLinks = NOWHERE } = this.parts
    const at = instant(clock.nowMs())
    // Of the mildest kind that it takes: a test is to wake nobody up who is not woken by warnings.
    const severity: Severity = channel.severities.includes('warning') ? 'warning' : 'critical'
    const alert = testAlert(channel.name, severity, at)
    const { signal } = this.cutShort
    if (channel.type === 'alertmanager') return channel.push([{ alert, links: testLinks }], at, signal)
    this.tests += 1
    return channel.send(testMessage(`test-${clock.nowMs()}-${this.tests}`, alert, testLinks), signal)
  }

  /** Begins nothing more, and gives what is under way two seconds. What is cut short is sent again after a start. */
  async stop(): Promise<void> {
    this.stopping.abort()
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, STOP_WITHIN_MS)
    await Promise.race([this.running, late])
    clearTimeout(timer)
    this.cutShort.abort()
  }
}
