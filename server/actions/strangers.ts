/**
 * Refusals of whom nobody knows. The log is never shortened, so that whoever reaches the port must not be
 * able to fill the disk with it: more than some in a minute are counted, and told in one entry.
 */
import type { AuditActor, AuditDraft } from '../history/audit.ts'

const WINDOW_MS = 60_000
export const MOST_IN_WINDOW = 60

export const isStranger = ({ kind }: AuditActor) => kind === 'nobody' || kind === 'anonymous'

export class Strangers {
  private beganMs = Number.NEGATIVE_INFINITY
  private taken = 0
  private leftOut = 0

  /** What of this is to be stored, in order; nothing when there were too many. */
  take(refusal: AuditDraft, nowMs: number): AuditDraft[] {
    const told: AuditDraft[] = []
    if (nowMs - this.beganMs >= WINDOW_MS) {
      if (this.leftOut > 0) told.push(sumOf(this.leftOut))
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

function sumOf(count: number): AuditDraft {
  return {
    kind: 'note',
    operation: '',
    verb: 'refuse',
    actor: { kind: 'nobody', name: 'nobody', address: '' },
    subject: { cluster: null },
    reason: '',
    asked: null,
    seen: { count },
    words: `${count} more refusals of strangers, within a minute, were not stored one by one.`,
  }
}
