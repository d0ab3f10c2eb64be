/** Held keys that no stop means to hold any more: after a release, and where a stop was never recorded. */
import { type HeldMark, readHeld } from '../../../lib/election/switches.ts'
import type { ElectionState } from '../../../lib/election/types.ts'
import { latin1, latin1FromBase64 } from '../../../lib/shared/bytes.ts'
import type { Reach } from '../reach.ts'
import { letGo, lookAtHead } from './hold-head.ts'
import type { KeeperParts } from './hold-parts.ts'
import { fateOf, isReleased, type Standing, standingIn } from './hold-rules.ts'

/** Another dashboard may have held it and be about to write its record. */
const ORPHAN_AFTER_MS = 30_000
const TRIES = 10
const MOST_ORPHANS = 10_000

export class LettingGo {
  private readonly reach: Reach
  private readonly parts: KeeperParts
  /** Operations that hold heads before their record is written. */
  private readonly inFlight = new Set<string>()
  /** Operations that ended without a record. */
  private readonly given = new Set<string>()
  /** When an orphan was first seen, by its key and mod revision. */
  private readonly orphans = new Map<string, number>()

  constructor(reach: Reach, parts: KeeperParts) {
    this.reach = reach
    this.parts = parts
  }

  begins(operation: string): void {
    this.inFlight.add(operation)
    this.given.delete(operation)
  }

  ends(operation: string, isRecorded: boolean): void {
    this.inFlight.delete(operation)
    if (!isRecorded) this.given.add(operation)
  }

  /** Answers how many keys are due and still held: others moved them each time. Rejects with `EtcdError`. */
  async tend(state: ElectionState): Promise<number> {
    const prefix = latin1FromBase64(state.prefixBase64)
    for (let attempt = 1; ; attempt += 1) {
      const now = await lookAtHead(this.reach, state.ref, this.parts.signal)
      const standing = standingIn(this.reach.metaPrefix, now.switches)
      const own = now.keys.filter(
        ({ key }) => state.layout === 'single-key' || !latin1(key).slice(prefix.length).includes('/'),
      )
      const due = own.filter((kv) => {
        const mark = readHeld(kv)
        return mark !== null && this.isDue(standing, prefix, { mark, name: `${latin1(kv.key)} ${kv.modRevision}` })
      })
      if (due.length === 0 || (await letGo(this.reach, now, due, this.parts.signal))) return 0
      if (attempt === TRIES) return due.length
    }
  }

  private isDue(
    standing: readonly Standing[],
    prefix: string,
    { mark, name }: { mark: HeldMark; name: string },
  ): boolean {
    if (this.inFlight.has(mark.operation)) return false
    const fate = fateOf(standing, prefix, mark)
    if (fate !== 'keep' && this.given.has(mark.operation)) return true
    if (fate !== 'orphan') {
      this.orphans.delete(name)
      return fate === 'let go'
    }
    // By hand, and whoever did it may still be typing: only a release of it lets it go.
    if (mark.operation === '') return false
    const now = this.parts.clock.monoMs()
    const since = this.orphans.get(name) ?? now
    if (this.orphans.size >= MOST_ORPHANS) this.orphans.clear()
    this.orphans.set(name, since)
    if (now - since < ORPHAN_AFTER_MS) return false
    // A record that vanished is no release: who was stopped stays stopped until somebody says otherwise.
    return isReleased(standing, prefix) || !this.wasRecorded(mark.operation)
  }

  private wasRecorded(operation: string): boolean {
    try {
      const outcomes = this.parts.audit.operation(operation)?.outcomes ?? []
      return outcomes.some(({ outcome }) => outcome?.is === 'verified')
    } catch {
      return true
    }
  }
}
