/** The switches as they were seen last: one that goes without a release by a user is told, never taken for "off". */
import { isNewer } from '../../lib/election/ids.ts'
import type { StandingSwitch } from '../../lib/election/scopes.ts'
import type { Revision, SwitchTrouble } from '../../lib/election/types.ts'
import { elapsedMs, type Instant } from '../../lib/shared/clock.ts'
import { shortDuration, timeOfDay } from '../../lib/shared/format.ts'

/** A record with the revision at which it was written. */
export interface SeenSwitch extends StandingSwitch {
  modRevision: Revision
}

export class SwitchMemory {
  private seen = new Map<string, SeenSwitch>()
  private readonly troubles = new Map<string, SwitchTrouble>()
  private readonly deleted = new Map<string, string>()

  /** Somebody deletes it on purpose. */
  willDelete(scopeBase64: string, by: string): void {
    this.deleted.set(scopeBase64, by)
  }

  /** All records there are, as they were read. */
  take(now: readonly SeenSwitch[], at: Instant): void {
    const there = new Map(now.map((each) => [each.scopeBase64, each]))
    for (const [scope, was] of this.seen) if (!there.has(scope)) this.gone(was, at)
    for (const each of now) this.changed(this.seen.get(each.scopeBase64), each, at)
    this.seen = there
  }

  /** What has to be told at this time. */
  tell(now: Instant): SwitchTrouble[] {
    const overdue = [...this.seen.values()].flatMap((each) => overdueOf(each, now))
    return [...this.troubles.values(), ...overdue]
  }

  private gone(was: SeenSwitch, at: Instant): void {
    const { scopeBase64 } = was
    const by = this.deleted.get(scopeBase64)
    this.deleted.delete(scopeBase64)
    if (by !== undefined) return
    const what = was.state === 'engaged' && was.record ? `, engaged by ${was.record.by},` : ''
    const words = `The kill switch record of ${named(was)}${what} vanished without a release by a user at ${timeOfDay(at)} UTC.`
    this.note(was, 'vanished', at, words)
  }

  private changed(was: SeenSwitch | undefined, now: SeenSwitch, at: Instant): void {
    this.deleted.delete(now.scopeBase64)
    if (was?.modRevision === now.modRevision) return
    const wentBack = was !== undefined && isNewer(was.modRevision, now.modRevision)
    if (wentBack) {
      const words = `The kill switch record of ${named(now)} went back to an older one at ${timeOfDay(at)} UTC: ${now.state}.`
      this.note(now, 'rolled-back', at, words)
    } else if (now.state === 'unreadable') {
      const words = `The kill switch record of ${named(now)} cannot be read since ${timeOfDay(at)} UTC: it counts as engaged for everything below.`
      this.note(now, 'unreadable', at, words)
    } else if (now.state === 'engaged' || was !== undefined) this.troubles.delete(now.scopeBase64)
  }

  private note({ scope, scopeBase64 }: StandingSwitch, type: SwitchTrouble['type'], at: Instant, words: string): void {
    this.troubles.set(scopeBase64, { type, scope, scopeBase64, at, words })
  }
}

function named({ scope }: StandingSwitch): string {
  return scope === '' ? 'everything' : scope
}

function overdueOf({ scope, scopeBase64, state, record }: SeenSwitch, now: Instant): SwitchTrouble[] {
  if (state !== 'engaged' || record === null || record.until > now) return []
  const ago = shortDuration(elapsedMs(record.until, now))
  const words = `The kill switch on ${scope === '' ? 'everything' : scope} was meant to be released ${ago} ago. It stays engaged until somebody releases it.`
  return [{ type: 'overdue', scope, scopeBase64, at: record.until, words }]
}
