/** Those whose key is held: their sessions are ended one by one, and what stands in the way is told. */
import type { KeyValue } from '../../../lib/election/ports.ts'
import { leaderOf } from '../../../lib/election/queue.ts'
import { scopeMatches } from '../../../lib/election/scopes.ts'
import type { HeldMark } from '../../../lib/election/switches.ts'
import type { Candidate, ElectionRef, LeaseId, Revision } from '../../../lib/election/types.ts'
import { base64FromLatin1, latin1, latin1FromBase64 } from '../../../lib/shared/bytes.ts'
import type { Reach } from '../reach.ts'
import { endSession } from './hold-leases.ts'
import { inTurn, type KeeperParts, messageOf } from './hold-parts.ts'

interface Former {
  /** Of the held key. */
  name: string
  lease: LeaseId | null
  token: Revision
  mark: HeldMark
  isSettled: boolean
  warning: string | null
  lookedMs: number
  /** Since when all that hangs on the lease was about to be held. */
  waitsSinceMs: number | null
}

/** What was left alone may be free of other keys later. */
const LOOK_AGAIN_MS = 5_000
/** What is about to be held for longer than this is not going to be. */
const HELD_WITHIN_MS = 10_000

const nameOf = (keyBase64: string, modRevision: string) => `${keyBase64} ${modRevision}`

export class FormerLeaders {
  private readonly reach: Reach
  private readonly parts: KeeperParts
  private readonly byElection = new Map<ElectionRef, Former>()

  constructor(reach: Reach, parts: KeeperParts) {
    this.reach = reach
    this.parts = parts
  }

  /** This very held key has been looked at. */
  knows(ref: ElectionRef, { keyBase64, modRevision }: Candidate): boolean {
    return this.byElection.get(ref)?.name === nameOf(keyBase64, modRevision)
  }

  take(ref: ElectionRef, { key, createRevision, modRevision }: KeyValue, mark: HeldMark): void {
    const name = nameOf(base64FromLatin1(latin1(key)), modRevision)
    if (this.byElection.get(ref)?.name === name) return
    // The record stops a leader of the library, and its presence must stay to prove it.
    const isSettled = mark.lease === null || mark.library
    this.byElection.set(ref, {
      name,
      lease: mark.lease,
      token: createRevision,
      mark,
      isSettled,
      warning: null,
      lookedMs: 0,
      waitsSinceMs: null,
    })
  }

  warningsOf(ref: ElectionRef): string[] {
    const warning = this.byElection.get(ref)?.warning
    return warning ? [warning] : []
  }

  /** Never rejects. */
  async tend(signal: AbortSignal): Promise<void> {
    const now = this.parts.clock.monoMs()
    await inTurn([...this.byElection], async ([ref, former]) => {
      if (signal.aborted) return
      const [head] = this.reach.view.elections.get(ref)?.candidates ?? []
      if (head?.held === undefined || !this.isStanding(former)) this.byElection.delete(ref)
      else if (!former.isSettled && (former.warning === null || now - former.lookedMs >= LOOK_AGAIN_MS)) {
        former.lookedMs = now
        await this.end(ref, former, signal)
      }
    })
  }

  /** Its stop is the one that holds it now: nobody's session is ended for a stop that is over. */
  private isStanding({ mark }: Former): boolean {
    return (this.reach.view.info.switches ?? []).some(
      ({ state, record }) => state === 'engaged' && record?.mode === 'enforced' && record.nonce === mark.nonce,
    )
  }

  private async end(ref: ElectionRef, former: Former, signal: AbortSignal): Promise<void> {
    const { lease } = former
    if (lease === null) return
    // It may have put its key on the lease again, just before: then its term ends with it.
    const evidence = `its session ${lease} was ended by an enforced stop`
    const done = this.reach.endings.mean(ref, former.token, { cause: 'kill switch', by: former.mark.by, evidence })
    let isRevoked = false
    try {
      const isPatient = former.waitsSinceMs === null || former.lookedMs - former.waitsSinceMs < HELD_WITHIN_MS
      const found = await endSession(this.reach, lease, (key) => isPatient && this.isHeadToHold(key), signal)
      former.waitsSinceMs = found.is === 'later' ? (former.waitsSinceMs ?? former.lookedMs) : former.waitsSinceMs
      isRevoked = found.is === 'revoked'
      former.isSettled = found.is === 'settled' || found.is === 'revoked'
      const warning = found.is === 'left alone' ? found.words : null
      if (found.is === 'revoked') this.note(ref, former, `Ended the session ${lease} of the former leader.`)
      if (warning !== null && warning !== former.warning) this.note(ref, former, warning)
      former.warning = warning
    } catch (error) {
      former.warning = `The session ${lease} of the former leader could not be ended: ${messageOf(error)}`
    } finally {
      done(isRevoked)
    }
  }

  /** latin1 */
  private isHeadToHold(key: string): boolean {
    const keyBase64 = base64FromLatin1(key)
    for (const { confirmed, prefixBase64, candidates } of this.reach.view.elections.values()) {
      // A look-alike is never acted upon, so that its key stays.
      if (!confirmed || leaderOf(candidates)?.keyBase64 !== keyBase64) continue
      const prefix = latin1FromBase64(prefixBase64)
      return (this.reach.view.info.switches ?? []).some(
        ({ state, record, scopeBase64, match }) =>
          state === 'engaged' &&
          record?.mode === 'enforced' &&
          scopeMatches(latin1FromBase64(scopeBase64), match, prefix),
      )
    }
    return false
  }

  private note(ref: ElectionRef, { mark, lease }: Former, words: string): void {
    const state = this.reach.view.elections.get(ref)
    const name = state === undefined ? '' : this.reach.view.nameOf(state)
    this.parts.recorder.keep({
      kind: 'note',
      verb: 'engage',
      operation: mark.operation,
      actor: { kind: 'nobody', name: 'Tenure', address: '' },
      subject: { cluster: this.reach.name, ref, name },
      reason: '',
      asked: null,
      seen: { lease },
      words: `${name}: ${words}`,
    })
  }
}
