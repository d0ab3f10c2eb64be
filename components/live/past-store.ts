/** A tab's store that stands still: every view shows a moment of the past by the hooks that show the present. */
import type { Cluster, ElectionState } from '../../lib/election/types.ts'
import { type Instant, msOf } from '../../lib/shared/clock.ts'
import { type Connection, LiveStore } from './live-store.ts'
import { ServerTime } from './server-time.ts'

class StandingTime extends ServerTime {
  private readonly atMs: number

  constructor(at: Instant | null) {
    super()
    this.atMs = at === null ? 0 : msOf(at)
    this.known = at !== null
  }

  override observe(): void {}
  override reset(): void {}
  override nowMs(): number {
    return this.atMs
  }
  override browserAheadMs(): number {
    return 0
  }
}

export class PastStore extends LiveStore {
  protected override readonly whenFed: Connection

  /** null: the address names no time. */
  constructor(at: Instant | null) {
    super(new StandingTime(at))
    this.whenFed = at === null ? { state: 'connecting' } : { state: 'past', at }
  }

  show(at: Instant, clusters: readonly { info: Cluster; elections: readonly ElectionState[] }[]): void {
    this.receive({ id: 'past-0', type: 'snapshot', serverTime: at, reason: 'first', build: '', clusters })
  }

  /** Nothing comes, so that nothing is late. */
  protected override check(): void {}
}
