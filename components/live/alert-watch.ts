/**
 * Which alerts this browser tells in a notification: those that begin to fire while nobody looks, each once
 * however many tabs are open. Framework-free.
 */
import type { AlertBrief } from '../../lib/election/alerts.ts'

/** What this browser has told already, shared by its tabs. */
export interface Claims {
  /** Of these, those that nobody had claimed before. */
  claim(ids: readonly string[]): Promise<readonly string[]>
}

export interface AlertWatchOptions {
  claims: Claims
  /** Somebody asked for it, and the browser allows it. */
  isOn: () => boolean
  isHidden: () => boolean
  show: (alert: AlertBrief) => void
  /** So that a tab that is looked at claims first. */
  wait: () => Promise<void>
}

const MOST_KNOWN = 1_000

export class AlertWatch {
  private readonly options: AlertWatchOptions
  private readonly known = new Set<string>()
  private isFirst = true

  constructor(options: AlertWatchOptions) {
    this.options = options
  }

  /**
   * `loud`: what fires and is neither silenced nor acknowledged. What fired before this tab was opened, or
   * before anybody asked for notifications, is never told.
   */
  async observe(loud: readonly AlertBrief[]): Promise<void> {
    const fresh = loud.filter(({ id }) => !this.known.has(id))
    for (const { id } of fresh) this.remember(id)
    const { isFirst } = this
    this.isFirst = false
    const { isOn, isHidden, claims, wait, show } = this.options
    if (fresh.length === 0 || !isOn()) return
    const ids = fresh.map(({ id }) => id)
    if (isFirst || !isHidden()) return void (await claims.claim(ids))
    await wait()
    const won = new Set(await claims.claim(ids))
    for (const alert of fresh) if (won.has(alert.id)) show(alert)
  }

  private remember(id: string): void {
    this.known.add(id)
    const [oldest] = this.known
    if (this.known.size > MOST_KNOWN && oldest !== undefined) this.known.delete(oldest)
  }
}
