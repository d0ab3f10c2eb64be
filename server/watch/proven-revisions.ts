/** What the cluster had come to by when: the measure for each member, whose own word is no proof. */
import { isNewer, ZERO } from '../../lib/election/ids.ts'
import type { Revision } from '../../lib/election/types.ts'
import type { Clock } from '../../lib/shared/clock.ts'

/** A follower is a round trip behind; on a busy machine, as much as this. */
export const LAGS_AFTER_MS = 1_000

export class ProvenRevisions {
  private readonly clock: Clock
  private older: Revision = ZERO
  private recent: { revision: Revision; monoMs: number }[] = []

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** A linearizable read was answered. */
  proven(revision: Revision): void {
    this.age()
    if (isNewer(revision, this.recent.at(-1)?.revision ?? this.older)) {
      this.recent.push({ revision, monoMs: this.clock.monoMs() })
    }
  }

  /** The store fell back: what it had come to before is no measure any more. */
  reset(): void {
    this.older = ZERO
    this.recent = []
  }

  /** A member that stands below this now lags. */
  due(): Revision {
    this.age()
    return this.older
  }

  private age(): void {
    const until = this.clock.monoMs() - LAGS_AFTER_MS
    while (this.recent[0] !== undefined && this.recent[0].monoMs <= until) {
      this.older = this.recent.shift()?.revision ?? this.older
    }
  }
}
