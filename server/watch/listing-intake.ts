/** How a listing enters the state: at the start, after a gap, or after the store was rolled back. */
import { isNewer } from '../../lib/election/ids.ts'
import type { Etcd } from '../../lib/election/ports.ts'
import type { Gap, Revision } from '../../lib/election/types.ts'
import type { History, Known } from '../history/history.ts'
import type { ClusterInfo } from './cluster-info.ts'
import type { ElectionIndex, Found, Moment } from './election-index.ts'
import type { Elections } from './elections.ts'
import { EpochKeeper } from './epoch-keeper.ts'
import type { LeaseWatch } from './lease-watch.ts'
import type { Log } from './log.ts'

interface ListingIntakeOptions {
  name: string
  /** latin1 */
  metaPrefix: string
  readOnly: boolean
  etcd: Etcd
  history: History
  log: Log
  elections: Elections
  index: ElectionIndex
  info: ClusterInfo
  leases: LeaseWatch
}

export class ListingIntake {
  private readonly options: ListingIntakeOptions
  private readonly epochs: EpochKeeper

  constructor(options: ListingIntakeOptions) {
    this.options = options
    this.epochs = new EpochKeeper(options)
  }

  /** What is there at the start, together with what earlier runs knew. */
  async first(found: readonly Found[], moment: Moment, signal: AbortSignal): Promise<void> {
    const { history, name } = this.options
    const known = await history.load(name, moment.at)
    const fresh = new Set(known.elections.map(({ ref }) => ref))
    const unknown = found.map(({ ref }) => ref).filter((ref) => !fresh.has(ref))
    // Without history the live view goes on; `historyError` tells.
    const seeds = await history.seeds(name, unknown, moment.at).catch(() => new Map())
    if (known.downtime !== null) this.options.info.addGap(known.downtime)
    const rolledBackFrom = await this.rolledBackSince(known, moment, signal)
    const past = {
      elections: known.elections,
      seeds,
      ...(rolledBackFrom ? { rolledBackFrom } : {}),
      ...(known.downtime ? { unseen: known.downtime } : {}),
    }
    const left = this.options.elections.open(found, past, moment)
    void this.options.leases.explainLeft(left, moment.revision)
    this.options.info.remembering = true
  }

  /** Enters the epoch that holds now; the revision from which the store fell back while nobody watched. */
  private async rolledBackSince(known: Known, moment: Moment, signal: AbortSignal): Promise<Revision | null> {
    const own = this.options.info.clusterId()
    const another = known.clusterId !== undefined && own !== undefined && known.clusterId !== own
    // Another store under an old name counts anew, so that its tokens are never taken for those of the old one.
    const remembered = another
      ? { epoch: known.epoch + 1, inStore: 0 }
      : { epoch: known.epoch, inStore: known.storedEpoch ?? 0 }
    if (known.rolledBack && !another) this.options.info.stillRolledBack(known.rolledBack)
    const epochLost = await this.epochs.adopt(remembered, signal)
    if (!another && (epochLost || isNewer(known.highRevision, moment.revision))) {
      await this.raiseEpoch(moment, known.highRevision, signal)
      return known.highRevision
    }
    this.enterEpoch(this.epochs.current)
    return null
  }

  /** The same store after `gap`, in which changes may have been missed. */
  again(found: readonly Found[], moment: Moment, gap: Gap): void {
    this.options.history.recordGap(this.options.name, gap)
    this.options.elections.relist(found, moment, gap)
  }

  /** Revisions went backwards: every term of the old epoch is over. */
  async rolledBack(
    found: readonly Found[],
    moment: Moment,
    { high, signal }: { high: Revision; signal: AbortSignal },
  ): Promise<void> {
    const epoch = await this.raiseEpoch(moment, high, signal)
    this.options.elections.rollBack(found, moment, { epoch, from: high })
  }

  private async raiseEpoch(moment: Moment, high: Revision, signal: AbortSignal): Promise<number> {
    const { log, name } = this.options
    const epoch = await this.epochs.raise(high, signal)
    this.enterEpoch(epoch)
    this.options.info.rolledBack({ from: high, to: moment.revision, at: moment.at })
    this.options.info.update()
    log.error({ cluster: name, from: high, to: moment.revision, epoch }, `store rolled back ${high}→${moment.revision}`)
    return epoch
  }

  private enterEpoch(epoch: number): void {
    this.options.index.epoch = epoch
    this.options.info.epoch = epoch
    this.options.info.storedEpoch = this.epochs.inStore
  }
}
