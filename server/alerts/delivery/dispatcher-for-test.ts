/** A dispatcher on fake timers, with channels that do as they are told. */
import { afterEach, beforeEach, vi } from 'vitest'
import type { Severity } from '../../../lib/election/alerts.ts'
import { systemClock } from '../../../lib/shared/clock.ts'
import { FakeOutbox } from '../../history/fake-outbox.ts'
import {
  DeliveryError,
  type Message,
  type MessageChannel,
  type Standing,
  type StateChannel,
} from '../channels/channel.ts'
import { Dispatcher, type DispatcherParts } from './dispatcher.ts'

export const START = Date.parse('2026-03-12T02:14:37.120Z')
export const HOUR = 3_600_000
const running: Dispatcher[] = []

/** Time passes when told alone; what was started is stopped. Call it once in each file. */
export function withFakeTime(): void {
  beforeEach(() => void vi.useFakeTimers({ now: START }))
  afterEach(async () => {
    for (const dispatcher of running.splice(0)) {
      await Promise.all([dispatcher.stop(), vi.advanceTimersByTimeAsync(3_000)])
    }
    vi.useRealTimers()
  })
}

export const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms)

export type Behaviour = (message: Message, signal: AbortSignal) => Promise<string | null>
const takes: Behaviour = async () => null
export const refuses = (options = {}): Behaviour => {
  return async () => Promise.reject(new DeliveryError('hook.example.org answered 500', options))
}
export const hangs: Behaviour = (_, signal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new DeliveryError('cut short'))))

export class FakeChannel implements MessageChannel {
  readonly type = 'webhook'
  readonly to = 'hook.example.org'
  readonly severities: readonly Severity[] = ['critical', 'warning']
  readonly name: string
  behaves: Behaviour
  readonly sent: { id: string; atMs: number }[] = []

  constructor(name = 'hook', behaves: Behaviour = takes) {
    this.name = name
    this.behaves = behaves
  }

  send(message: Message, signal: AbortSignal): Promise<string | null> {
    this.sent.push({ id: message.id, atMs: Date.now() - START })
    return this.behaves(message, signal)
  }
}

export class FakeStateChannel implements StateChannel {
  readonly type = 'alertmanager'
  readonly to = 'alertmanager.example.org:9093'
  readonly name = 'am'
  readonly everyMs = 60_000
  readonly severities: readonly Severity[]
  behaves: () => Promise<string | null> = async () => null
  readonly pushed: { keys: string[]; atMs: number }[] = []

  constructor(severities: readonly Severity[] = ['critical', 'warning']) {
    this.severities = severities
  }

  push(standing: readonly Standing[]): Promise<string | null> {
    this.pushed.push({ keys: standing.map(({ alert }) => alert.key), atMs: Date.now() - START })
    return this.behaves()
  }
}

export function dispatch(parts: Partial<DispatcherParts>): Dispatcher {
  const dispatcher = new Dispatcher({
    channels: [],
    outbox: new FakeOutbox(),
    standing: () => [],
    clock: systemClock,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    ...parts,
  })
  running.push(dispatcher)
  dispatcher.start()
  return dispatcher
}
