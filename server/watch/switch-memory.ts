/** The switches as they were seen last: one that goes without a release by a user is told, never taken for "off". */
import { isNewer, ZERO } from '../../lib/election/ids.ts'
import { isHolding, type StandingSwitch, scopeMatches } from '../../lib/election/scopes.ts'
import type { Revision, SwitchTrouble } from '../../lib/election/types.ts'
import { escapeLatin1, latin1FromBase64 } from '../../lib/shared/bytes.ts'
import { elapsedMs, type Instant } from '../../lib/shared/clock.ts'
import { groupDigits } from '../../lib/shared/decimal.ts'
import { shortDuration, timeOfDay } from '../../lib/shared/format.ts'

/** A record with the revision at which it was written. */
export interface SeenSwitch extends StandingSwitch {
  modRevision: Revision
}

export interface SwitchesRead {
  switches: readonly SeenSwitch[]
  revision: Revision
  /** There are more: what is not among them may be there. */
  isPart?: true
}

interface Stop {
  seen: SeenSwitch
  /** Written at this revision; it may be older where an earlier run saw it begin. */
  from: Revision
  to: Revision | null
}

/** Each reading brings other objects of the same records: a stop that goes on is known by its scope. */
const isOf = ({ seen, to }: Stop, was: SeenSwitch) => to === null && seen.scopeBase64 === was.scopeBase64

const MOST_STOPS = 500

export class SwitchMemory {
  private seen = new Map<string, SeenSwitch>()
  private readonly troubles = new Map<string, SwitchTrouble>()
  private readonly deleted = new Map<string, string>()
  /** Oldest first. */
  private stops: Stop[] = []
  private readAt = ZERO
  /** Not all records are read. */
  private partSince: Instant | null = null

  /** Somebody deletes it on purpose. */
  willDelete(scopeBase64: string, by: string): void {
    this.deleted.set(scopeBase64, by)
  }

  /** All records there are, as a linearizable read showed them. False: something newer was read before. */
  take({ switches: now, revision, isPart }: SwitchesRead, at: Instant, isAside = false): boolean {
    if (isAside && isNewer(this.readAt, revision)) return false
    this.readAt = revision
    const there = new Map(now.map((each) => [each.scopeBase64, each]))
    for (const [scope, was] of this.seen) if (!there.has(scope) && !isPart) this.gone(was, at)
    for (const each of now) this.changed(this.seen.get(each.scopeBase64), each, at)
    this.seen = there
    this.partSince = isPart ? (this.partSince ?? at) : null
    return true
  }

  /** The stop that held an election (latin1) at this revision; null when none did. */
  stopAt(prefix: string, revision: Revision): StandingSwitch | null {
    const found = this.stops.findLast(
      ({ seen: { scopeBase64, match }, from, to }) =>
        isNewer(revision, from) &&
        (to === null || !isNewer(revision, to)) &&
        scopeMatches(latin1FromBase64(scopeBase64), match, prefix),
    )
    return found?.seen ?? null
  }

  /** It had been engaged when it was seen last, by an earlier run, and is not there now. */
  missing(scopeBase64: string, by: string, at: Instant): void {
    if (this.seen.has(scopeBase64) || this.troubles.has(scopeBase64)) return
    const scope = escapeLatin1(latin1FromBase64(scopeBase64))
    const words = `The kill switch record of ${named({ scope })}, engaged by ${by}, vanished without a release by a user: it was not there at ${timeOfDay(at)} UTC, after a restart.`
    this.note({ scope, scopeBase64 }, 'vanished', at, words)
  }

  /** What has to be told at this time. */
  tell(now: Instant): SwitchTrouble[] {
    const overdue = [...this.seen.values()].flatMap((each) => overdueOf(each, now))
    return [...partOf(this.partSince, this.seen.size), ...this.troubles.values(), ...overdue]
  }

  private gone(was: SeenSwitch, at: Instant): void {
    const { scopeBase64 } = was
    this.end(was, this.readAt)
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
    this.keepStop(was, now)
    const wentBack = was !== undefined && isNewer(was.modRevision, now.modRevision)
    if (wentBack) {
      const words = `The kill switch record of ${named(now)} went back to an older one at ${timeOfDay(at)} UTC: ${now.state}.`
      this.note(now, 'rolled-back', at, words)
    } else if (now.state === 'unreadable') {
      const words = `The kill switch record of ${named(now)} cannot be read since ${timeOfDay(at)} UTC: it counts as engaged for everything below.`
      this.note(now, 'unreadable', at, words)
    } else this.troubles.delete(now.scopeBase64)
  }

  private keepStop(was: SeenSwitch | undefined, now: SeenSwitch): void {
    const goesOn = was !== undefined && isHolding(was) && isHolding(now) && was.record?.nonce === now.record?.nonce
    if (goesOn) this.stops = this.stops.map((stop) => (isOf(stop, was) ? { ...stop, seen: now } : stop))
    else {
      if (was !== undefined) this.end(was, now.modRevision)
      if (isHolding(now))
        this.stops = [...this.stops, { seen: now, from: now.modRevision, to: null }].slice(-MOST_STOPS)
    }
  }

  private end(was: SeenSwitch, to: Revision): void {
    this.stops = this.stops.map((stop) => (isOf(stop, was) ? { ...stop, to } : stop))
  }

  private note(
    { scope, scopeBase64 }: Pick<StandingSwitch, 'scope' | 'scopeBase64'>,
    type: SwitchTrouble['type'],
    at: Instant,
    words: string,
  ): void {
    this.troubles.set(scopeBase64, { type, scope, scopeBase64, at, words })
  }
}

function named({ scope }: Pick<StandingSwitch, 'scope'>): string {
  return scope === '' ? 'everything' : scope
}

function partOf(at: Instant | null, read: number): SwitchTrouble[] {
  if (at === null) return []
  const words = `There are more than ${groupDigits(String(read))} kill switch records: the rest is not read, so that a stop may stand that is not shown here, and enforced ones among them are not held.`
  return [{ type: 'too-many', scope: '', scopeBase64: '', at, words }]
}

function overdueOf({ scope, scopeBase64, state, record }: SeenSwitch, now: Instant): SwitchTrouble[] {
  const until = record?.until
  if (state !== 'engaged' || until === undefined || until > now) return []
  const ago = shortDuration(elapsedMs(until, now))
  const words = `The kill switch on ${scope === '' ? 'everything' : scope} was meant to be released ${ago} ago. It stays engaged until somebody releases it.`
  return [{ type: 'overdue', scope, scopeBase64, at: until, words }]
}
