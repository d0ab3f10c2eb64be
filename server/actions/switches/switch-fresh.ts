/** After a restart a stop is gone on with only while it is what somebody still means. */
import { type Instant, msOf } from '../../../lib/shared/clock.ts'
import { shortDuration } from '../../../lib/shared/format.ts'
import { momentWords } from './switch-words.ts'

const FRESH_MS = 5 * 60_000

export interface LeftOver {
  /** When it was asked for. */
  meantAt: Instant
  nowMs: number
  /** Mod revision of the record that it was asked for, and of the one that is there; "" where it was not read. */
  meant: string
  is: string
}

/** null: it may go on. Pure. */
export function whyNotGoOn({ meantAt, nowMs, meant, is }: LeftOver): string | null {
  const after = 'Not executed: the server was restarted and'
  const ageMs = nowMs - msOf(meantAt)
  if (Math.abs(ageMs) > FRESH_MS) {
    return `${after} what was asked for at ${momentWords(meantAt)} is older than ${shortDuration(FRESH_MS)}.`
  }
  if (meant === '') return `${after} it is not known which record it was asked for.`
  return meant === is ? null : `${after} the record was changed since it was asked for.`
}
