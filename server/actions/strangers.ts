/**
 * Refusals of whom nobody knows, and of each who is known. The log is never shortened, so that whoever reaches
 * the port must not be able to fill the disk with it: more than some in a minute are counted, and told in one entry.
 */
import type { AuditActor, AuditDraft } from '../history/audit.ts'

const WINDOW_MS = 60_000
export const MOST_IN_WINDOW = 60

export const isStranger = ({ kind }: AuditActor) => kind === 'nobody' || kind === 'anonymous'

const STRANGERS = 'strangers'

/** People by who they are, whichever browser or token they use; strangers all together. */
export class RefusalLimit {
  private readonly by = new Map<string, Window>()

  /** What of this is to be stored, in order. */
  take(refusal: AuditDraft, nowMs: number): AuditDraft[] {
    const { actor } = refusal
    const who = isStranger(actor) ? STRANGERS : `${actor.personId ?? actor.kind}`
    const limit = this.by.get(who) ?? new Window()
    this.by.set(who, limit)
    return limit.take(refusal, nowMs)
  }
}

class Window {
  private beganMs = Number.NEGATIVE_INFINITY
  private taken = 0
  private leftOut = 0

  /** What of this is to be stored, in order; nothing when there were too many. */
  take(refusal: AuditDraft, nowMs: number): AuditDraft[] {
    const told: AuditDraft[] = []
    if (nowMs - this.beganMs >= WINDOW_MS) {
      if (this.leftOut > 0) told.push(sumOf(this.leftOut, refusal))
      this.beganMs = nowMs
      this.taken = 0
      this.leftOut = 0
    }
    this.taken += 1
    if (this.taken > MOST_IN_WINDOW) this.leftOut += 1
    else told.push(refusal)
    return told
  }
}

function sumOf(count: number, { actor }: AuditDraft): AuditDraft {
  const isKnown = !isStranger(actor)
  return {
    kind: 'note',
    operation: '',
    verb: 'refuse',
    actor: isKnown ? actor : { kind: 'nobody', name: 'nobody', address: '' },
    subject: { cluster: null },
    reason: '',
    asked: null,
    seen: { count },
    words: `${count} more refusals of ${isKnown ? actor.name : 'strangers'}, within a minute, were not stored one by one.`,
  }
}
