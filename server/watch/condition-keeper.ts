/** Records what etcd itself was like: who was etcd raft leader, and what was wrong. */
import {
  type ClusterSeen,
  type Followed,
  followCluster,
  followProbe,
  NO_CONDITIONS,
} from '../../lib/election/conditions.ts'
import { type Clock, instant } from '../../lib/shared/clock.ts'
import type { History } from '../history/history.ts'

interface ConditionKeeperOptions {
  name: string
  history: Pick<History, 'recordConditions'>
  clock: Clock
}

export class ConditionKeeper {
  private readonly options: ConditionKeeperOptions
  private state = NO_CONDITIONS

  constructor(options: ConditionKeeperOptions) {
    this.options = options
  }

  /** Call it again and again, once what earlier runs left has been read: this run's begin after that. */
  seen(seen: Omit<ClusterSeen, 'at'>): void {
    this.take(followCluster(this.state, { ...seen, at: instant(this.options.clock.nowMs()) }))
  }

  /** The probe of a member was answered, or not. */
  probed(member: string, rttMs: number | null): void {
    this.take(followProbe(this.state, { at: instant(this.options.clock.nowMs()), member, rttMs }))
  }

  private take({ state, changed }: Followed): void {
    this.state = state
    if (changed.length > 0) this.options.history.recordConditions(this.options.name, changed)
  }
}
