/** What people keep from being told, and until when. */
import { randomUUID } from 'node:crypto'
import type { Alert, AlertRule, Silence } from '../../lib/election/alerts.ts'
import { fits } from '../../lib/election/silences.ts'
import { type Instant, instant, msOf } from '../../lib/shared/clock.ts'
import { AlertError } from './alert-error.ts'

const DAY_MS = 24 * 3_600_000
const LONGEST_DAYS = 31
const MOST = 200
/** One that is over stays listed for so long. */
const LISTED_MS = DAY_MS

export interface NewSilence {
  cluster?: string | undefined
  rule?: AlertRule | undefined
  /** Of an election's prefix or name; `*` stands for one path segment. */
  pattern?: string | undefined
  until: Instant
  comment: string
}

export class Silences {
  private known: readonly Silence[] = []

  restore(silences: readonly Silence[]): void {
    this.known = [...this.known, ...silences]
  }

  /** The one that keeps an alert from being told; null when none does. */
  holding(alert: Pick<Alert, 'cluster' | 'rule' | 'ref' | 'subject'>, now: Instant): string | null {
    return this.known.find((silence) => holds(silence, now) && fits(silence, alert))?.id ?? null
  }

  /** Those that hold, and those that were over lately. */
  listed(now: Instant): Silence[] {
    const since = instant(msOf(now) - LISTED_MS)
    return this.known.filter(({ until, ended }) => (ended?.at ?? until) > since)
  }

  /** Throws `AlertError`. */
  begin({ cluster, rule, pattern, until, comment }: NewSilence, by: string, now: Instant): Silence {
    if (cluster === undefined && rule === undefined && pattern === undefined) {
      const why = 'without any it would keep everything from being told'
      throw new AlertError('bad-input', `a silence must name a cluster, a rule or a pattern: ${why}`)
    }
    if (until <= now) throw new AlertError('bad-input', `until is ${until}, and it is ${now} now: name a time to come`)
    if (msOf(until) - msOf(now) > LONGEST_DAYS * DAY_MS) {
      throw new AlertError('bad-input', `a silence holds for ${LONGEST_DAYS} days at most: name an earlier time`)
    }
    if (this.known.filter((each) => holds(each, now)).length >= MOST) {
      throw new AlertError(
        'bad-input',
        `${MOST} silences hold already: end one first, or name a pattern that fits more`,
      )
    }
    const silence: Silence = {
      id: randomUUID(),
      ...(cluster === undefined ? {} : { cluster }),
      ...(rule === undefined ? {} : { rule }),
      ...(pattern === undefined ? {} : { pattern }),
      from: now,
      until,
      by,
      comment,
      ended: null,
    }
    this.known = [silence, ...this.known]
    return silence
  }

  /** Throws `AlertError`. */
  end(id: string, by: string, now: Instant): Silence {
    const silence = this.known.find((each) => each.id === id)
    if (silence === undefined) {
      throw new AlertError('unknown', `there is no silence ${id}: alerts.list names those there are`)
    }
    if (!holds(silence, now)) throw new AlertError('over', 'this silence is over already')
    const ended = { ...silence, ended: { by, at: now } }
    this.known = this.known.map((each) => (each === silence ? ended : each))
    return ended
  }

  forget(overBefore: Instant): void {
    this.known = this.known.filter(({ until }) => until > overBefore)
  }
}

function holds({ from, until, ended }: Silence, now: Instant): boolean {
  return ended === null && from <= now && now < until
}
