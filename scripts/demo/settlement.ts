import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { type OwnedProcess, spawnOwned } from '../../e2e/harness/owned-process.ts'
import { logPath, rootDir } from '../setup/paths.mjs'
import type { Household } from './household.ts'

const entry = join(rootDir, 'examples', 'settlement', 'worker.ts')
const names = ['settler-1', 'settler-2', 'settler-3']
const regions = ['eu', 'us']
const restartAfterMs = 4_000
const firstWithinMs = 30_000
const killBetweenMs = { least: 40_000, most: 75_000 }

export interface SettlementOptions {
  endpoints: readonly string[]
  /** Where the books are kept. */
  ledger: string
  /** Where the workers report to. */
  env: Record<string, string>
}

interface Settler {
  process: OwnedProcess
  leads: Set<string>
}

const note = (event: object) =>
  appendFileSync(logPath('demo-settlement'), `${JSON.stringify({ at: new Date().toISOString(), ...event })}\n`)

/** Three processes of the settlement service, each started again whenever it ends. */
export class Settlement {
  private readonly household: Household
  private readonly options: SettlementOptions
  private readonly settlers = new Map<string, Settler>()
  private readonly led = Promise.withResolvers<void>()

  constructor(household: Household, options: SettlementOptions) {
    this.household = household
    this.options = options
    for (const name of names) this.start(name)
  }

  get processes(): number {
    return names.length
  }

  /** Resolves once every region has a leader. */
  async ready(): Promise<void> {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new Error(`no settlement leader within ${firstWithinMs} ms`)), firstWithinMs)
    await Promise.race([this.led.promise, late])
    clearTimeout(timer)
  }

  /** Kills a leader now and then: its lease has to run out before the next one settles. */
  async killNowAndThen(): Promise<void> {
    const span = killBetweenMs.most - killBetweenMs.least
    while (await this.household.pause(killBetweenMs.least + Math.random() * span)) {
      await [...this.settlers.values()].find(({ leads }) => leads.size > 0)?.process.kill()
    }
  }

  private start(name: string): void {
    const { endpoints, ledger, env } = this.options
    const flags = { endpoints: endpoints.join(','), ledger, worker: name, regions: regions.join(',') }
    const args = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value])
    const leads = new Set<string>()
    const process = spawnOwned(globalThis.process.execPath, [entry, ...args], {
      stdin: 'pipe',
      env: { ...globalThis.process.env, ...env } as NodeJS.ProcessEnv,
      logFile: logPath('demo-settlement'),
      onLine: (line) => this.hear(name, leads, line),
    })
    this.settlers.set(name, { process, leads })
    this.household.add(process, async () => {
      if (await this.household.pause(restartAfterMs)) this.start(name)
    })
  }

  private hear(name: string, leads: Set<string>, line: string): void {
    const event: { type: string; region: string } = JSON.parse(line)
    note({ worker: name, ...event })
    if (event.type === 'leading') leads.add(event.region)
    else if (event.type === 'lost' || event.type === 'draining') leads.delete(event.region)
    const all = new Set([...this.settlers.values()].flatMap((settler) => [...settler.leads]))
    if (all.size === regions.length) this.led.resolve()
  }
}
