/** Elections and their terms over thirty days. */
import { refOf } from '../../../lib/election/ids.ts'
import type { ElectionRef, EndedBy, LeaseId, Revision, Term } from '../../../lib/election/types.ts'
import { instant } from '../../../lib/shared/clock.ts'
import type { ElectionIdentity } from '../../../server/history/history.ts'
import type { Seeded } from './seeded.ts'

export const IDENTITIES = 4
const DAY_MS = 24 * 3_600_000
export const SPAN_MS = 30 * DAY_MS

export const CLUSTER = 'bench'

export interface Size {
  elections: number
  termsEach: number
}

/** A thousand elections with two hundred terms each. */
export const MONTH: Size = { elections: 1_000, termsEach: 200 }
/** Many elections with few. */
export const WIDE: Size = { elections: 10_000, termsEach: 20 }

export function electionAt(index: number): ElectionIdentity & { ref: ElectionRef } {
  const prefix = `/elections/team-${index % 40}/job-${index}/`
  return {
    ref: refOf('queue', prefix),
    layout: 'queue',
    prefix,
    prefixBase64: btoa(prefix),
    foundBy: 'key ends in its own lease id',
    confirmed: true,
  }
}

const ENDINGS: readonly (EndedBy & { share: number; silentMs: number | null; vacancyMs: number })[] = [
  {
    share: 0.55,
    cause: 'resigned or removed',
    evidence: 'its lease is alive, looked up 2 ms after the key went',
    silentMs: 1_200,
    vacancyMs: 4,
  },
  {
    share: 0.2,
    cause: 'handed off',
    by: 'ops',
    evidence: 'asked for at 03:12:07, released at revision 59',
    silentMs: 900,
    vacancyMs: 3,
  },
  {
    share: 0.22,
    cause: 'lease lost',
    evidence: 'its lease is gone, looked up 3 ms after the key went: it expired or was revoked',
    silentMs: 9_000,
    vacancyMs: 12,
  },
  { share: 0.03, cause: 'unobserved', evidence: 'it changed while Tenure could not see', silentMs: null, vacancyMs: 0 },
]

function endingOf(random: Seeded) {
  let left = random.next()
  for (const ending of ENDINGS) {
    left -= ending.share
    if (left < 0) return ending
  }
  return ENDINGS[0] as (typeof ENDINGS)[number]
}

export interface Drawn {
  nowMs: number
  random: Seeded
  size: Size
}

/** Oldest first; the newest is open. */
export function termsOf(election: number, { nowMs, random, size }: Drawn): Term[] {
  const { elections, termsEach } = size
  const { prefix } = electionAt(election)
  const meanMs = SPAN_MS / termsEach
  const terms: Term[] = []
  let fromMs = nowMs - SPAN_MS
  let gapMs: number | null = null
  for (let at = 0; at < termsEach; at += 1) {
    const lease = (0x6940_0000_0000_0000n + BigInt(election * termsEach + at)).toString(16) as LeaseId
    const key = `${prefix}${lease}`
    const isLast = at === termsEach - 1
    const { silentMs, vacancyMs, share: _, ...endedBy } = endingOf(random)
    const toMs = Math.min(nowMs - 1_000, Math.round(fromMs + meanMs * (0.6 + 0.8 * random.next())))
    terms.push({
      ordinal: at + 1,
      epoch: 0,
      token: String(1_000 + at * elections + election) as Revision,
      leader: { identity: `worker-${random.whole(IDENTITIES)}`, key, keyBase64: btoa(key), lease },
      from: instant(fromMs),
      fromAtLeast: false,
      to: isLast ? null : instant(toMs),
      gapMs,
      takeoverMs: 200 + random.whole(400),
      silentMs: isLast || silentMs === null ? null : silentMs + random.whole(4_000),
      endedBy: isLast ? null : endedBy,
    })
    gapMs = vacancyMs + random.whole(20)
    fromMs = toMs + gapMs
  }
  return terms
}
