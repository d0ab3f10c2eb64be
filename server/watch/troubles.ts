/** Log lines about faults: at most one a minute of each kind, with how often it came up in between. */
import type { Clock } from '../../lib/shared/clock.ts'
import type { Log } from './log.ts'

const EVERY_MS = 60_000

interface Trouble {
  times: number
  loggedMs: number
  /** The last line said that it is there; one may say that it is over. */
  told: boolean
}

export class Troubles {
  private readonly known = new Map<string, Trouble>()
  private readonly options: { cluster?: string; clock: Clock; log: Log }

  constructor(options: { cluster?: string; clock: Clock; log: Log }) {
    this.options = options
  }

  note(what: string, reason: string): void {
    const { clock, log } = this.options
    const trouble = this.known.get(what) ?? { times: 0, loggedMs: Number.NEGATIVE_INFINITY, told: false }
    this.known.set(what, trouble)
    trouble.times += 1
    if (clock.monoMs() - trouble.loggedMs < EVERY_MS) return
    log.warn({ ...this.about(), times: trouble.times, reason }, `${what} in trouble`)
    Object.assign(trouble, { times: 0, loggedMs: clock.monoMs(), told: true })
  }

  resolved(what: string): void {
    const trouble = this.known.get(what)
    if (!trouble?.told) return
    trouble.told = false
    this.options.log.info(this.about(), `${what} well again`)
  }

  private about(): object {
    const { cluster } = this.options
    return cluster === undefined ? {} : { cluster }
  }
}
