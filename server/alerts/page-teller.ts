/** What every page of a cluster is told of alerts: a few numbers and the worst, at most five times a second. */
import { type Alert, type AlertsTold, worstFirst } from '../../lib/election/alerts.ts'
import { briefOf } from './brief.ts'

const EVERY_MS = 200
const WORST = 12

interface PageTellerOptions {
  clusters: readonly string[]
  /** What fires and what is about to, of one cluster with what concerns Tenure as a whole. */
  current: (cluster: string) => readonly Alert[]
  /** Rises with whatever a page could show. */
  version: () => number
  tell: (cluster: string, told: AlertsTold) => void
}

export class PageTeller {
  private readonly options: PageTellerOptions
  private toldVersion = -1
  private timer: NodeJS.Timeout | undefined
  private stopped = false

  constructor(options: PageTellerOptions) {
    this.options = options
  }

  /** At once after quiet. */
  tellSoon(): void {
    const version = this.options.version()
    if (this.toldVersion === version || this.timer !== undefined || this.stopped) return
    this.toldVersion = version
    for (const cluster of this.options.clusters) this.options.tell(cluster, this.toldOf(cluster, version))
    this.timer = setTimeout(() => {
      this.timer = undefined
      this.tellSoon()
    }, EVERY_MS)
  }

  stop(): void {
    this.stopped = true
    clearTimeout(this.timer)
  }

  private toldOf(cluster: string, version: number): AlertsTold {
    const shown = this.options.current(cluster).filter(({ partOf }) => partOf === null)
    const loud = shown.filter(({ stage, silence }) => stage === 'firing' && silence === null)
    // What is silenced takes no other's place.
    const worst = shown.sort((a, b) => Number(a.silence !== null) - Number(b.silence !== null) || worstFirst(a, b))
    return {
      version,
      critical: loud.filter(({ severity }) => severity === 'critical').length,
      warning: loud.filter(({ severity }) => severity === 'warning').length,
      unacknowledged: loud.filter(({ acknowledged }) => acknowledged === null).length,
      worst: worst.slice(0, WORST).map(briefOf),
    }
  }
}
