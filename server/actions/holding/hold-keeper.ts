/**
 * Keeps the heads of one cluster held as the enforced stops in etcd say, and lets them go when they are
 * released. Everything is derived from etcd anew, so that a crash, or another dashboard, at any step is no matter.
 */
import { heldHeadOf } from '../../../lib/election/queue.ts'
import { type StandingSwitch, scopeMatches } from '../../../lib/election/scopes.ts'
import type { ElectionRef, ElectionState } from '../../../lib/election/types.ts'
import { sleep } from '../../../lib/shared/abort.ts'
import { latin1FromBase64 } from '../../../lib/shared/bytes.ts'
import type { Reach } from '../reach.ts'
import { electionsIn, type Scope } from '../switches/switch-scope.ts'
import { FormerLeaders } from './former-leaders.ts'
import { type HoldFor, holdHead, type Meant } from './hold-head.ts'
import { inTurn, type KeeperParts, messageOf } from './hold-parts.ts'
import { enforcedOn, standingIn } from './hold-rules.ts'
import { LettingGo } from './letting-go.ts'

/** Changes are acted upon at once; this finds what none of them told. */
const LOOK_AGAIN_MS = 5_000

/** Whoever reads the record must not wait for it: what is not held by then is held right after. */
const HOLD_WITHIN_MS = 10_000
const NONE: readonly StandingSwitch[] = []

/** What could not be held. */
export interface HoldTrouble {
  ref: ElectionRef
  words: string
}

export class HoldKeeper {
  private readonly reach: Reach
  private readonly parts: KeeperParts
  private readonly former: FormerLeaders
  private readonly lettingGo: LettingGo
  /** null: everything. */
  private dirty: Set<ElectionRef> | null = new Set()
  private wake = () => {}
  private readonly troubles = new Map<ElectionRef, string>()
  private enforced: { from: readonly StandingSwitch[]; all: readonly StandingSwitch[] } = { from: NONE, all: NONE }

  constructor(reach: Reach, parts: KeeperParts) {
    this.reach = reach
    this.parts = parts
    this.former = new FormerLeaders(reach, parts)
    this.lettingGo = new LettingGo(reach, parts)
  }

  /** Runs until the server stops. Never rejects. */
  async run(): Promise<void> {
    const { signal } = this.parts
    const stop = this.reach.onChange((refs) =>
      this.mark(refs === null ? null : refs.filter((ref) => this.matters(ref))),
    )
    this.dirty = null
    while (!signal.aborted) {
      if (this.dirty === null || this.dirty.size > 0) {
        const dirty = this.dirty
        this.dirty = new Set()
        await this.pass(dirty)
        continue
      }
      const woken = new AbortController()
      this.wake = () => woken.abort()
      await sleep(LOOK_AGAIN_MS, AbortSignal.any([signal, woken.signal]))
      if (!woken.signal.aborted) this.dirty = null
    }
    stop()
  }

  /** An operation that holds heads before its record is written. Call what it returns with whether it was. */
  begins(operation: string): (isRecorded: boolean) => void {
    this.lettingGo.begins(operation)
    return (isRecorded) => {
      this.lettingGo.ends(operation, isRecorded)
      this.mark(null)
    }
  }

  /** Every election of a scope, before its record is written. Answers what could not be held. */
  async holdAll(scope: Scope, match: 'exact' | 'prefix', mark: HoldFor): Promise<HoldTrouble[]> {
    const failed: HoldTrouble[] = []
    const { clock } = this.parts
    const untilMs = clock.monoMs() + HOLD_WITHIN_MS
    await inTurn(electionsIn(scope, match), async (state) => {
      try {
        if (clock.monoMs() > untilMs) throw new Error('the record was not kept waiting for it')
        await holdHead(this.reach, state.ref, () => mark, this.parts.signal)
      } catch (error) {
        failed.push({ ref: state.ref, words: messageOf(error) })
      }
    })
    return failed
  }

  /** Right after a release: lets heads go without waiting for the watcher. Answers how many it could not. */
  async released(scope: Scope, match: 'exact' | 'prefix'): Promise<number> {
    let left = 0
    const held = electionsIn(scope, match).filter(({ candidates }) => heldHeadOf(candidates) !== null)
    await inTurn(held, async (state) => {
      left += await this.lettingGo.tend(state, true).catch(() => 1)
    })
    return left
  }

  warningsOf(ref: ElectionRef): string[] {
    const trouble = this.troubles.get(ref)
    return [...this.former.warningsOf(ref), ...(trouble === undefined ? [] : [trouble])]
  }

  private mark(refs: readonly ElectionRef[] | null): void {
    if (refs === null) this.dirty = null
    else if (this.dirty !== null) for (const ref of refs) this.dirty.add(ref)
    if (this.dirty === null || this.dirty.size > 0) this.wake()
  }

  private async pass(dirty: ReadonlySet<ElectionRef> | null): Promise<void> {
    const { view } = this.reach
    // What is in etcd may be older than what people decided: nothing is written until they have looked.
    if (view.info.rolledBack !== undefined) return
    const some =
      dirty === null ? [...view.elections.values()] : [...dirty].flatMap((ref) => view.elections.get(ref) ?? [])
    await inTurn(
      some.filter((state) => this.isConcerned(state)),
      (state) => this.tend(state),
    )
    await this.former.tend(this.parts.signal)
  }

  /** Told of each change of ten thousand elections: nearly all of them concern no stop. */
  private matters(ref: ElectionRef): boolean {
    const state = this.reach.view.elections.get(ref)
    return state !== undefined && (heldHeadOf(state.candidates) !== null || this.isMeant(state))
  }

  private isConcerned(state: ElectionState): boolean {
    return state.confirmed && (this.isMeant(state) || state.candidates.some(({ held }) => held !== undefined))
  }

  private isMeant(state: ElectionState): boolean {
    return this.stopOf(state) !== null
  }

  /** The enforced stop that holds it, as far as the watcher knows: of several the one with the narrowest scope. */
  private stopOf({ prefixBase64 }: ElectionState): StandingSwitch | null {
    const { switches = NONE } = this.reach.view.info
    if (this.enforced.from !== switches)
      this.enforced = { from: switches, all: switches.filter(isEnforced).sort(byScope) }
    if (this.enforced.all.length === 0) return null
    const prefix = latin1FromBase64(prefixBase64)
    return this.enforced.all.find((each) => covers(each, prefix)) ?? null
  }

  /** Holds or lets go, whichever etcd says now. Never rejects: what failed is tried again, and told. */
  private async tend(state: ElectionState): Promise<void> {
    const { ref } = state
    try {
      if (this.isMeant(state)) await this.hold(state)
      else await this.lettingGo.tend(state)
      this.troubles.delete(ref)
    } catch (error) {
      if (this.parts.signal.aborted) return
      const words = `Its head could not be tended: ${messageOf(error)}`
      if (this.troubles.get(ref) !== words)
        this.parts.log.error({ election: state.prefix, reason: messageOf(error) }, 'a head could not be held or let go')
      this.troubles.set(ref, words)
    }
  }

  private async hold(state: ElectionState): Promise<void> {
    const head = heldHeadOf(state.candidates)
    const isOfThisStop = head?.held?.nonce === this.stopOf(state)?.record?.nonce
    if (head !== null && isOfThisStop && this.former.knows(state.ref, head)) return
    const prefix = latin1FromBase64(state.prefixBase64)
    const meant: Meant = (switches) => {
      const record = enforcedOn(standingIn(this.reach.metaPrefix, switches), prefix)
      return record && { nonce: record.nonce, operation: record.operation, by: record.by }
    }
    const found = await holdHead(this.reach, state.ref, meant, this.parts.signal)
    if (found.is === 'held') this.former.take(state.ref, found.kv, found.mark)
    if (found.is === 'relabelled') this.mark([state.ref])
    if (found.is === 'held now') {
      this.note(state, found)
      // Its lease is looked at when the watcher shows the key as it is now.
      if (found.was !== null) this.mark([state.ref])
    }
  }

  /** Nobody asked for this one: a new head had come after the stop, or before it was known here. */
  private note(
    state: ElectionState,
    { was, revision }: Extract<Awaited<ReturnType<typeof holdHead>>, { is: 'held now' }>,
  ): void {
    const name = this.reach.view.nameOf(state)
    const by = this.stopOf(state)
    const who =
      was === null ? 'its seat was empty' : `token ${was.createRevision} led on session ${was.lease ?? 'none'}`
    this.parts.recorder.keep({
      kind: 'note',
      verb: 'engage',
      operation: by?.record?.log.findLast(({ what }) => what.startsWith('engaged'))?.operation ?? 'hold',
      actor: { kind: 'nobody', name: 'Tenure', address: '' },
      subject: { cluster: this.reach.name, ref: state.ref, name },
      reason: by?.record?.reason ?? '',
      asked: null,
      seen: { revision, token: was?.createRevision ?? null, lease: was?.lease ?? null },
      words: `Held the head of ${name} at revision ${revision}: ${who}.`,
    })
  }
}

const byScope = (a: StandingSwitch, b: StandingSwitch) =>
  latin1FromBase64(b.scopeBase64).length - latin1FromBase64(a.scopeBase64).length

function isEnforced({ state, record }: StandingSwitch): boolean {
  return state === 'engaged' && record?.mode === 'enforced'
}

function covers({ scopeBase64, match }: StandingSwitch, prefix: string): boolean {
  return scopeMatches(latin1FromBase64(scopeBase64), match, prefix)
}
