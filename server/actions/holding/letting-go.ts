/** Held keys that no stop means to hold any more: after a release, and where a stop was never recorded. */
import type { KeyValue } from '../../../lib/election/ports.ts'
import { type HeldMark, readHeld, type SwitchRecord } from '../../../lib/election/switches.ts'
import type { ElectionState, Revision } from '../../../lib/election/types.ts'
import { latin1, latin1FromBase64 } from '../../../lib/shared/bytes.ts'
import type { AuditedOperation } from '../../history/audit.ts'
import type { Reach } from '../reach.ts'
import { letGo, lookAtHead } from './hold-head.ts'
import type { KeeperParts } from './hold-parts.ts'
import { fateOf, releaseOf, type Standing, standingIn } from './hold-rules.ts'

/** Another dashboard may have held it and be about to write its record. */
const ORPHAN_AFTER_MS = 30_000
const TRIES = 10
const MOST_ORPHANS = 10_000

interface Why {
  words: string
  /** Operation of the release. */
  releasedBy?: string
}

export class LettingGo {
  private readonly reach: Reach
  private readonly parts: KeeperParts
  /** Operations that hold heads before their record is written. */
  private readonly inFlight = new Set<string>()
  /** Operations that ended without a record. */
  private readonly given = new Set<string>()
  /** When an orphan was first seen, by its key and mod revision. */
  private readonly orphans = new Map<string, number>()
  /** Orphans in whose scope somebody has released a stop since. */
  private readonly pardoned = new Set<string>()

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
  async tend(state: ElectionState, byRelease = false): Promise<number> {
    const prefix = latin1FromBase64(state.prefixBase64)
    for (let attempt = 1; ; attempt += 1) {
      const now = await lookAtHead(this.reach, state.ref, this.parts.signal)
      const standing = standingIn(this.reach.metaPrefix, now.switches)
      const own = now.keys.filter(
        ({ key }) => state.layout === 'single-key' || !latin1(key).slice(prefix.length).includes('/'),
      )
      const due = own.flatMap((kv) => {
        const mark = readHeld(kv)
        const name = `${latin1(kv.key)} ${kv.modRevision}`
        const why = mark && this.whyDue(standing, prefix, { mark, name, byRelease })
        return mark && why !== null ? [{ kv, mark, why }] : []
      })
      if (due.length === 0) return 0
      const keys = due.map(({ kv }) => kv)
      const revision = await letGo(this.reach, now, keys, this.parts.signal)
      if (revision !== null) {
        if (!byRelease) for (const each of due) this.note(state, revision, each)
        return 0
      }
      if (attempt === TRIES) return due.length
    }
  }

  /** null: it is not. */
  private whyDue(
    standing: readonly Standing[],
    prefix: string,
    { mark, name, byRelease }: { mark: HeldMark; name: string; byRelease: boolean },
  ): Why | null {
    if (this.inFlight.has(mark.operation)) return null
    const fate = fateOf(standing, prefix, mark)
    if (fate !== 'keep' && this.given.has(mark.operation)) return { words: 'its stop was not engaged' }
    if (fate !== 'orphan') {
      this.orphans.delete(name)
      this.pardoned.delete(name)
      return fate === 'let go' ? this.whyReleased(releaseOf(standing, prefix, mark)) : null
    }
    // By hand, and whoever did it may still be typing: only a release of it lets it go.
    if (mark.operation === '') return null
    if (byRelease) this.pardoned.add(name)
    const now = this.parts.clock.monoMs()
    const since = this.orphans.get(name) ?? now
    if (this.orphans.size >= MOST_ORPHANS) this.orphans.clear()
    this.orphans.set(name, since)
    if (now - since < ORPHAN_AFTER_MS) return null
    // A record that vanished is no release: who was stopped stays stopped until somebody says otherwise.
    if (this.pardoned.has(name)) return { words: 'its record is gone, and a stop of its scope was released since' }
    return this.neverCame(mark.operation) ? { words: `${mark.by} meant to stop it, and no record was written` } : null
  }

  private whyReleased(release: SwitchRecord | null): Why {
    const by = release?.released ?? release
    return { words: `its stop was released by ${by?.by ?? 'somebody'}`, releasedBy: by?.operation ?? '' }
  }

  /** Meant here, and not done: another dashboard's operation is nothing that this log can tell of. */
  private neverCame(operation: string): boolean {
    const audited = this.audited(operation)
    return audited?.intent != null && !audited.outcomes.some(({ outcome }) => outcome?.is === 'verified')
  }

  private audited(operation: string): AuditedOperation | null {
    try {
      return this.parts.audit.operation(operation)
    } catch {
      return null
    }
  }

  /** Unless an operation of this dashboard says so already. */
  private note(
    state: ElectionState,
    revision: Revision,
    { kv, mark, why }: { kv: KeyValue; mark: HeldMark; why: Why },
  ) {
    if (why.releasedBy !== undefined && this.audited(why.releasedBy)?.intent != null) return
    const name = this.reach.view.nameOf(state)
    const byHand = mark.operation === '' ? ' It had been held by hand.' : ''
    this.parts.recorder.keep({
      kind: 'note',
      verb: 'release',
      operation: mark.operation || 'hold',
      actor: { kind: 'nobody', name: 'Tenure', address: '' },
      subject: { cluster: this.reach.name, ref: state.ref, name },
      reason: '',
      asked: null,
      seen: { revision, token: kv.createRevision, nonce: mark.nonce },
      words: `Let the held head of ${name} go at revision ${revision}: ${why.words}.${byHand}`,
    })
  }
}
