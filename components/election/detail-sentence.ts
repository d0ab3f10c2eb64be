/** The status sentence: is it all right, in plain words. Says nothing that was not observed. */
import { type DualClaim, standingOf } from '../../lib/election/claims.ts'
import { blockerOf, competitors, heldHeadOf, leaderOf, nextUpOf } from '../../lib/election/queue.ts'
import type { StandingSwitch } from '../../lib/election/scopes.ts'
import { FLAPPING_FAILOVERS, isAtRisk, kindOf, recentFailovers } from '../../lib/election/status.ts'
import type { Candidate, ElectionState, Term } from '../../lib/election/types.ts'
import { elapsedMs, type Instant } from '../../lib/shared/clock.ts'
import { groupDigits } from '../../lib/shared/decimal.ts'
import { count, duration, seconds, timeOfDay } from '../../lib/shared/format.ts'
import { claimedTerm, speakerOf, tokenOf } from './claim-words.ts'
import { type Frozen, provenNow } from './detail-frozen.ts'
import { identityText } from './detail-identity.ts'
import { scopeWords, switchWords } from './switch-words.ts'

/** A run of words. `who` names a candidate and carries its lane's colour. */
export interface Say {
  text: string
  bold?: true
  mono?: true
  tone?: 'crit' | 'warn'
  who?: { identity: string; keyBase64: string }
}

export interface SentenceInput {
  state: ElectionState
  name: string
  now: Instant
  frozen: Frozen | null
  /** Per cent of the TTL, the least of the last hour; null where it was not measured. */
  worstMargin: number | null
  /** A moment of the past is shown: look-ups of leases are not kept. */
  isPast?: boolean
  /** Somebody claims to lead besides whom etcd says. */
  dual?: DualClaim | null
  /** The kill switch that stops it. */
  stopped?: StandingSwitch | null
}

const HOUR_MS = 3_600_000

interface Context extends SentenceInput {
  /** The moment up to which durations count. */
  until: Instant
  is: 'is' | 'was'
  has: 'has' | 'had'
}

const plain = (text: string): Say => ({ text })
const bold = (text: string, tone?: Say['tone']): Say => ({ text, bold: true, ...(tone && { tone }) })
const named = ({ identity, keyBase64 }: { identity: string; keyBase64: string }): Say => ({
  text: identityText(identity),
  bold: true,
  who: { identity, keyBase64 },
})

export function sentence(input: SentenceInput): Say[] {
  const { frozen } = input
  const context: Context = {
    ...input,
    until: provenNow(frozen, input.now),
    is: frozen === null ? 'is' : 'was',
    has: frozen === null ? 'has' : 'had',
  }
  return [...asOf(context), ...body(context), ...notLive(context)]
}

function asOf({ frozen, now }: Context): Say[] {
  if (frozen === null) return []
  if (frozen.at === null) return [bold('Not observed yet', 'warn'), plain('; last known: ')]
  const ago = duration(elapsedMs(frozen.at, now))
  return [plain('As of '), bold(`${timeOfDay(frozen.at)} UTC`, 'warn'), plain(` (${ago} ago) `)]
}

function notLive({ frozen }: Context): Say[] {
  return frozen === null ? [] : [plain(' '), bold('Not live', 'warn'), plain(`: ${frozen.why.replace(/\.$/, '')}.`)]
}

function body(context: Context): Say[] {
  const { state } = context
  if (!state.confirmed) return unconfirmed(context)
  if (context.stopped) return stopped(context, context.stopped)
  const blocker = blockerOf(state.candidates)
  if (blocker !== null && competitors(state.candidates).length > 0) return blocked(context, blocker)
  const leader = leaderOf(state.candidates)
  const mutex = kindOf(state) === 'mutex'
  const claimed = claims(context)
  if (leader === null || state.term === null) return [...(mutex ? free(context) : leaderless(context)), ...claimed]
  if (mutex) return [...held(context, leader, state.term), ...claimed]
  const rest = [...lease(context, leader), ...trouble(context), ...standbys(context), ...margin(context, leader)]
  return [...led(context, leader, state.term), ...claimed, ...rest]
}

/** Who claims what; the panel says the rest. */
function claims({ dual, state, until }: Context): Say[] {
  const [first, ...others] = dual?.claimants ?? []
  if (dual == null || first === undefined) return []
  const { claim, reason } = first
  const more = others.length === 0 ? '' : ` and ${count(others.length, 'other')}`
  const verb = others.length > 0 ? 'claim' : reason === 'same-token' ? 'claims' : 'also claims'
  return [
    plain(' '),
    bold(`${speakerOf(claim)}${more} ${verb} to lead`, 'crit'),
    plain(` with token `),
    bold(tokenOf(claim)),
    plain(` (${claimedTerm(claim, standingOf(state, claim))}) since ${timeOfDay(dual.since)} (`),
    bold(span(dual.since, until)),
    plain(').'),
  ]
}

function unconfirmed({ state, name, is }: Context): Say[] {
  const head = leaderOf(state.candidates)
  return [
    bold(name),
    plain(` looks like an election but ${is} `),
    bold('unconfirmed'),
    plain(`: found by ${state.foundBy}.`),
    ...(head === null ? [] : [plain(' Its oldest key holds '), named(head), plain('.')]),
    plain(' It carries no actions until an admin confirms its kind.'),
  ]
}

/** Whoever leads on does not read the switch, or has not stopped yet: the seat in etcd does not tell which. */
function stopped({ state, name, is, has }: Context, by: StandingSwitch): Say[] {
  const leader = leaderOf(state.candidates)
  return [
    bold(name),
    plain(` ${is} `),
    bold('stopped by the kill switch', 'crit'),
    plain(` on ${scopeWords(by)}, ${switchWords(by)}.`),
    ...(heldHeadOf(state.candidates) !== null
      ? [
          plain(' Tenure '),
          bold('holds the seat'),
          plain(` until it ${is} released: nobody leads, and everybody keeps their place.`),
        ]
      : leader === null
        ? [plain(` Nobody ${has} the seat.`)]
        : [
            plain(' '),
            named(leader),
            plain(` still ${has} the seat: it does not read the switch, or has not stopped yet.`),
          ]),
  ]
}

function blocked({ state, name, is, until }: Context, blocker: Candidate): Say[] {
  const first = nextUpOf(state.candidates)
  const since = state.leaderlessSince
  return [
    bold(name),
    plain(` ${is} `),
    bold('blocked by older key ', 'crit'),
    { text: blocker.key, mono: true, bold: true },
    plain(' of a nested election: etcd counts it in the queue, so nobody leads'),
    ...(since === null ? [] : [plain(' since '), bold(timeOfDay(since)), plain(` (${span(since, until)})`)]),
    plain('.'),
    ...(first === null ? [] : [plain(' When that key goes, '), named(first), plain(' leads.')]),
  ]
}

const span = (from: Instant, to: Instant) => duration(elapsedMs(from, to))

function leaderless({ state, name, has, until }: Context): Say[] {
  const since = state.leaderlessSince
  const words: Say[] = [bold(name), plain(` ${has} `), bold('no leader', 'crit')]
  const never = state.lastOrdinal === 0
  if (since !== null) {
    const ms = elapsedMs(since, until)
    const length = ms < 10_000 ? seconds(ms) : duration(ms)
    words.push(
      plain(never ? ', and none was seen since Tenure first looked at ' : ' since '),
      bold(timeOfDay(since)),
      plain(' ('),
      bold(length),
      plain(')'),
    )
  }
  const last = state.ended.at(-1)
  words.push(plain('.'))
  if (last?.endedBy) {
    words.push(plain(' Last led by '), named(last.leader), plain(`, term #${last.ordinal}: ${last.endedBy.cause}.`))
  }
  words.push(
    plain(
      state.layout === 'single-key' ? ' Its key does not exist; whoever creates it leads.' : ' The queue is empty.',
    ),
  )
  return words
}

function howLong(term: Term, until: Instant): Say[] {
  return [plain(term.fromAtLeast ? ' for at least ' : ' for '), bold(span(term.from, until))]
}

const termWords = (term: Term): Say[] => [
  plain(', term '),
  bold(`#${term.ordinal}`),
  plain(' (token '),
  bold(groupDigits(term.token)),
  plain(term.epoch > 0 ? `, epoch ${term.epoch})` : ')'),
]

function led({ name, is, until }: Context, leader: Candidate, term: Term): Say[] {
  return [bold(name), plain(` ${is} led by `), named(leader), ...howLong(term, until), ...termWords(term), plain('.')]
}

function held({ state, name, is, until }: Context, leader: Candidate, term: Term): Say[] {
  const waiters = competitors(state.candidates).length - 1
  return [
    bold(name),
    plain(` ${is} a mutex, held on lease `),
    leader.lease === null ? bold('none: it never expires', 'crit') : { text: leader.lease, mono: true, bold: true },
    ...howLong(term, until),
    ...termWords(term),
    plain('. '),
    bold(waiters === 0 ? 'Nobody' : count(waiters, 'candidate')),
    plain(waiters === 1 || waiters === 0 ? ' waits.' : ' wait.'),
  ]
}

function free({ state, name, is, until }: Context): Say[] {
  const since = state.leaderlessSince
  return [
    bold(name),
    plain(` ${is} a mutex and `),
    bold('free'),
    ...(since === null ? [] : [plain(' for '), bold(span(since, until))]),
    plain('. That is no fault: nobody asks for it.'),
  ]
}

function lease({ isPast }: Context, leader: Candidate): Say[] {
  if (leader.lease === null) {
    return [
      plain(' Its key has '),
      bold('no lease: it never expires', 'crit'),
      plain(', so nobody takes over when its process dies.'),
    ]
  }
  if (leader.ttlDenied) {
    return [plain(' Its lease '), bold('cannot be looked up', 'warn'), plain(': etcd denies it to this account.')]
  }
  if (leader.ttl === null) {
    return [plain(isPast ? ' What was left of its lease is not kept.' : ' Its lease has not been looked up yet.')]
  }
  const ttl = ` Lease of ${duration(leader.ttl.grantedMs)}`.replace(/ (?=\d|[a-z]$)/g, '\u00a0')
  const low = isAtRisk(leader.ttl) ? [plain('; at the last look-up '), bold('under a third was left', 'warn')] : []
  return [plain(ttl), ...low, plain('.')]
}

/** Last, since it becomes known some seconds into a term: nothing that was read gives way to it. */
function margin({ worstMargin, state, until }: Context, { ttl }: Candidate): Say[] {
  if (worstMargin === null || ttl === null) return []
  const young = state.term !== null && elapsedMs(state.term.from, until) < HOUR_MS
  const percent = bold(`${Math.floor(worstMargin)} %`, worstMargin < 33 ? 'warn' : undefined)
  return [plain(` Worst margin ${young ? 'of this term' : 'in the last hour'} `), percent, plain('.')]
}

function trouble({ state, until }: Context): Say[] {
  const changes = recentFailovers(state, until)
  return changes < FLAPPING_FAILOVERS
    ? []
    : [plain(' '), bold(`${changes} failovers`, 'crit'), plain(' in the last hour.')]
}

function standbys({ state }: Context): Say[] {
  if (state.layout === 'single-key') return [plain(' One key holds the leader; its standbys leave no trace in etcd.')]
  const waiting = competitors(state.candidates).length - 1
  const next = nextUpOf(state.candidates)
  if (waiting === 0 || next === null) {
    return [plain(' '), bold('No standby', 'warn'), plain(': if this leader goes, nobody leads.')]
  }
  return [plain(' '), bold(count(waiting, 'standby', 'standbys')), plain('; next is '), named(next), plain('.')]
}

/** The same as text, for titles and screen readers. */
export function spoken(words: readonly Say[]): string {
  return words.map((word) => word.text).join('')
}
