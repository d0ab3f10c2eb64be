/** Rolls up and tidies in the background, in steps short enough not to be noticed. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../lib/shared/clock.ts'
import type { Database } from './database.ts'
import { isBusy } from './failures.ts'
import { retentionStep } from './retention.ts'
import type { Rollup } from './rollup.ts'

export interface MaintenanceOptions {
  clock: Clock
  rollup: Rollup
  /** The open database, or null while there is none. */
  database(): Database | null
  onError(error: unknown): Promise<void>
}

const TICK_MS = 1_000
const RETENTION_EVERY_TICKS = 15

export class Maintenance {
  private readonly options: MaintenanceOptions
  private timer: NodeJS.Timeout | null = null
  private running: Promise<void> | null = null
  private ticks = 0
  private stopped = false

  constructor(options: MaintenanceOptions) {
    this.options = options
  }

  start(): void {
    this.timer = setInterval(() => {
      if (this.running !== null) return
      this.ticks += 1
      void this.run(this.ticks % RETENTION_EVERY_TICKS === 0)
    }, TICK_MS)
    this.timer.unref()
  }

  /** Does all that is due now; a run that is under way may have missed some of it. */
  async run(tidy = true): Promise<void> {
    while (this.running !== null) await this.running
    this.running = this.work(tidy).finally(() => {
      this.running = null
    })
    await this.running
  }

  async stop(): Promise<void> {
    this.stopped = true
    if (this.timer !== null) clearInterval(this.timer)
    await this.running
  }

  private async work(tidy: boolean): Promise<void> {
    const { clock, rollup } = this.options
    try {
      await this.each((database) => rollup.step(database, clock.nowMs()))
      if (tidy) await this.each((database) => retentionStep(database, rollup, clock.nowMs()))
    } catch (error) {
      // Another connection writes just now: the next tick is soon enough.
      if (!isBusy(error)) await this.options.onError(error)
    }
  }

  /** One step a turn of the event loop, until none is due. */
  private async each(step: (database: Database) => boolean): Promise<void> {
    for (;;) {
      const database = this.options.database()
      if (database === null || this.stopped || !step(database)) return
      await nextTurn()
    }
  }
}
