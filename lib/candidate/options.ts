/** What a candidate is told, checked before anything starts. */

import type { KvPort, LeasePort, NoticePort, TxnPort } from '../election/ports.ts'
import type { Layout } from '../election/types.ts'
import { escapeLatin1, latin1, utf8 } from '../shared/bytes.ts'
import type { Clock } from '../shared/clock.ts'
import { awakeClock } from './awake-clock.ts'
import { CandidateOptionsError } from './errors.ts'

export type CandidateEtcd = KvPort &
  TxnPort &
  NoticePort &
  Pick<LeasePort, 'grant' | 'renew' | 'revoke'> & { readonly endpoints: readonly string[] }

export interface ReportOptions {
  /** The dashboard's `POST /api/reports`. */
  url: string
  /** Bearer token of the dashboard's `reports.tokenFile`. */
  token: string
  /** The cluster's name as the dashboard is configured. */
  cluster: string
}

export interface CandidateOptions {
  etcd: CandidateEtcd
  /** A queue's name gets the closing `/` that Go's `NewElection` adds; a single key is taken as it is. */
  election: string | Uint8Array
  /** What others see as the leader: the value of the key. */
  identity: string
  /** Requested TTL of the lease; etcd may grant a longer one, which then counts. 15 when left out. */
  ttlSeconds?: number
  layout?: Layout
  /** Where the dashboard keeps switches and handoffs. `/tenure/` when left out. */
  metaPrefix?: string
  /** `halt`: lead only while a switch record for this election exists. `run` when left out. */
  onMissingSwitch?: 'run' | 'halt'
  /** Refuse to lead in an epoch below this one, after the election has moved to another cluster. */
  minEpoch?: number
  /** TTL/3 when left out. */
  renewEveryMs?: number
  /** Leadership counts this long from the sending of the last proven renewal; TTL × 2/3 when left out. */
  deadlineMs?: number
  /** Kept between the deadline and the TTL, for clocks that run apart; TTL/10 when left out, and at least that. */
  marginMs?: number
  /** How long the work may take to end after it was told so, before the seat is left to expire; TTL when left out. */
  drainMs?: number
  reports?: ReportOptions
  /** Told of everything that is retried or refused. Without it, only warnings reach `process.emitWarning`. */
  onTrouble?: (error: Error) => void
}

export interface Timing {
  ttlMs: number
  renewEveryMs: number
  deadlineMs: number
  drainMs: number
  /** Deadline of one call to etcd: short enough that another endpoint can be asked in time. */
  callMs: number
}

export interface Settings extends Required<Pick<CandidateOptions, 'etcd' | 'identity' | 'layout' | 'onMissingSwitch'>> {
  /** latin1; a queue's ends with `/`. */
  prefix: string
  /** latin1, ends with `/`. */
  metaPrefix: string
  ttlSeconds: number
  minEpoch: number
  timing: (grantedMs: number) => Timing
  reports: ReportOptions | null
  trouble: (error: Error) => void
  clock: Clock
}

/** As many as the dashboard takes. */
const MOST_IDENTITY = 1_000
/** A timer for longer than that fires at once. */
const MOST_DRAIN_MS = 2_147_000_000

function refuse(text: string): never {
  throw new CandidateOptionsError(text)
}

function whole(name: string, value: number, least: number, most = Number.MAX_SAFE_INTEGER): number {
  if (!Number.isInteger(value) || value < least || value > most)
    refuse(
      `${name} is ${typeof value === 'number' ? value : JSON.stringify(value)}: give a whole number from ${least}${most < 2 ** 31 ? ` to ${most}` : ''}`,
    )
  return value
}

/** A misspelled one must not pass for the other. */
function oneOf<T extends string>(name: string, value: T, known: readonly T[]): T {
  if (!known.includes(value)) refuse(`${name} is ${JSON.stringify(value)}: give ${known.join(' or ')}`)
  return value
}

/** npm only warns of a Node below `engines`, on which a term could outlive its seat. */
function refuseOldNode(): void {
  if (typeof Promise.withResolvers !== 'function') refuse(`Node ${process.version} is too old: run 22 or newer`)
}

/** Throws `CandidateOptionsError`. */
export function settingsOf(options: CandidateOptions): Settings {
  refuseOldNode()
  if (typeof options !== 'object' || options === null) refuse('options are missing: give etcd, election and identity')
  const layout = oneOf('layout', options.layout ?? 'queue', ['queue', 'single-key'])
  const ttlSeconds = whole('ttlSeconds', options.ttlSeconds ?? 15, 1, 86_400)
  if (typeof options.identity !== 'string' || options.identity === '')
    refuse('identity is empty or no text: name this instance, for example by its host and process id')
  if (options.identity.length > MOST_IDENTITY)
    refuse(`identity has ${options.identity.length} characters: give at most ${MOST_IDENTITY}`)
  const timing = (grantedMs: number) => timingOf(options, grantedMs)
  timing(ttlSeconds * 1_000)
  if (typeof options.etcd?.txn !== 'function') refuse('etcd is missing: give the client that connectEtcd returns')
  const [prefix, metaPrefix] = [prefixOf(options.election, layout), metaPrefixOf(options.metaPrefix ?? '/tenure/')]
  keepApart(prefix, metaPrefix, layout)
  return {
    etcd: options.etcd,
    prefix,
    layout,
    identity: options.identity,
    ttlSeconds,
    timing,
    metaPrefix,
    onMissingSwitch: oneOf('onMissingSwitch', options.onMissingSwitch ?? 'run', ['run', 'halt']),
    minEpoch: whole('minEpoch', options.minEpoch ?? 0, 0),
    reports: reportsOf(options.reports),
    trouble: guarded(options.onTrouble),
    clock: awakeClock(),
  }
}

/** What the owner does with an error must never end what the candidate does. */
function guarded(tell: CandidateOptions['onTrouble']): Settings['trouble'] {
  return (error) => {
    try {
      tell?.(error)
    } catch (thrown) {
      process.emitWarning(`onTrouble threw: ${thrown}`, { type: 'TenureWarning' })
    }
  }
}

function timingOf(options: CandidateOptions, ttlMs: number): Timing {
  const renewEveryMs = whole('renewEveryMs', options.renewEveryMs ?? Math.floor(ttlMs / 3), 100)
  const deadlineMs = whole('deadlineMs', options.deadlineMs ?? Math.floor((ttlMs * 2) / 3), 1)
  const marginMs = whole('marginMs', options.marginMs ?? Math.ceil(ttlMs / 10), 1)
  const drainMs = whole('drainMs', options.drainMs ?? ttlMs, 0, MOST_DRAIN_MS)
  if (marginMs < ttlMs / 10) refuse(`marginMs is ${marginMs}: give at least a tenth of the TTL, ${ttlMs / 10}`)
  if (renewEveryMs >= deadlineMs)
    refuse(`renewEveryMs is ${renewEveryMs}: it must be below deadlineMs, which is ${deadlineMs}`)
  if (deadlineMs >= ttlMs - marginMs)
    refuse(`deadlineMs is ${deadlineMs}: it must be below the TTL less marginMs, which is ${ttlMs - marginMs}`)
  const callMs = Math.max(250, Math.min(2_000, Math.floor((deadlineMs - renewEveryMs) / 2)))
  return { ttlMs, renewEveryMs, deadlineMs, drainMs, callMs }
}

function prefixOf(election: string | Uint8Array, layout: Layout): string {
  const bytes = typeof election === 'string' ? utf8(election) : election
  if (!(bytes instanceof Uint8Array)) refuse('election is no name: give text or bytes')
  if (bytes.length === 0) refuse('election is empty: give its name')
  return layout === 'queue' ? `${latin1(bytes)}/` : latin1(bytes)
}

/** Its keys would be read as switches or as the epoch, or what Tenure keeps would stand in its queue. */
function keepApart(prefix: string, metaPrefix: string, layout: Layout): void {
  const isInside = prefix.startsWith(metaPrefix)
  if (isInside || (layout === 'queue' && metaPrefix.startsWith(prefix)))
    refuse(
      `election ${escapeLatin1(prefix)} ${isInside ? 'lies in' : 'holds'} metaPrefix ${escapeLatin1(metaPrefix)}: ` +
        'give it a name outside of what Tenure keeps there',
    )
}

function metaPrefixOf(text: string): string {
  if (typeof text !== 'string' || !text.endsWith('/'))
    refuse(`metaPrefix is ${JSON.stringify(text)}: it must end with "/", as the dashboard's does`)
  return latin1(utf8(text))
}

function reportsOf(reports: ReportOptions | null | undefined): ReportOptions | null {
  if (reports === undefined || reports === null) return null
  // "localhost:3000" is a URL too, of a scheme that nobody knows.
  if (!/^https?:/.test(URL.parse(reports.url)?.protocol ?? ''))
    refuse(`reports.url is ${JSON.stringify(reports.url)}: give an http or https address`)
  if (!reports.token) refuse('reports.token is empty: give the token that the dashboard has in reports.tokenFile')
  if (!reports.cluster) refuse('reports.cluster is empty: give the name that the dashboard has for this cluster')
  return reports
}
