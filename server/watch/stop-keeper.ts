/** Follows which kill switches hold, so that history can say when something was stopped on purpose. */
import type { StandingSwitch } from '../../lib/election/scopes.ts'
import { followStops, type Stop } from '../../lib/election/stops.ts'
import { type Clock, instant } from '../../lib/shared/clock.ts'
import type { History } from '../history/history.ts'

const SHOWN_MS = 3_600_000

interface StopKeeperOptions {
  name: string
  history: History
  clock: Clock
}

export class StopKeeper {
  private readonly options: StopKeeperOptions
  private open: readonly Stop[] | null = null
  private over: readonly Stop[] = []
  private latest: readonly StandingSwitch[] = []
  private loading: Promise<void> | null = null

  constructor(options: StopKeeperOptions) {
    this.options = options
  }

  /** Stops that hold, and those that ended within the last hour; oldest first. */
  recent(): readonly Stop[] {
    const hourAgo = instant(this.options.clock.nowMs() - SHOWN_MS)
    this.over = this.over.filter(({ to }) => to === null || to > hourAgo)
    return [...this.over, ...(this.open ?? [])]
  }

  /** Every record as it stands now. Before the first one, what an earlier run left open is read. */
  async follow(switches: readonly StandingSwitch[]): Promise<void> {
    this.latest = switches
    this.loading ??= this.load()
    await this.loading
    if (this.latest === switches) this.take(switches)
  }

  private take(switches: readonly StandingSwitch[]): void {
    const { clock, history, name } = this.options
    const known = this.open ?? []
    const { open, ended } = followStops(known, { at: instant(clock.nowMs()), switches })
    this.open = open
    this.over = [...this.over, ...ended]
    const changed = [...ended, ...open.filter((stop) => !known.includes(stop))]
    if (changed.length > 0) history.recordStops(name, changed)
  }

  private async load(): Promise<void> {
    const { clock, history, name } = this.options
    const hourAgo = instant(clock.nowMs() - SHOWN_MS)
    // Without history the present is told all the same.
    const known = await history.stops({ cluster: name, from: hourAgo }).catch(() => [])
    this.open = known.filter(({ to }) => to === null)
    this.over = known.filter(({ to }) => to !== null).toReversed()
  }
}
