/**
 * What the instances of one cluster report, bounded, on its way into the elections. What changes is
 * published at once; that an instance said the same again, now and then, so that frames stay small.
 */
import type { ClaimsChange, Said, SaidAgain } from '../../lib/election/changes.ts'
import { standingOf } from '../../lib/election/claims.ts'
import { refOf } from '../../lib/election/ids.ts'
import { identityOf } from '../../lib/election/layouts.ts'
import type { CandidateReport } from '../../lib/election/reports.ts'
import type { Claim, ElectionRef, ElectionState } from '../../lib/election/types.ts'
import { latin1FromBase64, utf8 } from '../../lib/shared/bytes.ts'
import { type Clock, elapsedMs, type Instant, instant, msOf } from '../../lib/shared/clock.ts'
import type { RoutedChange } from './election-index.ts'

export const MOST_PER_ELECTION = 100
export const MOST_IN_ALL = 5_000
/** An instance that has been silent for so long is forgotten, unless its claim still runs. */
export const SILENT_MS = 60_000
const AGAIN_MS = { claiming: 1_000, other: 5_000 }
/** Between two publications of what changed. */
const PAUSE_MS = 100

/** When a report came, on both clocks. */
export interface Received {
  at: Instant
  monoMs: number
}

interface Entry {
  said: Said
  /** On the monotonic clock; null while it claims nothing. */
  claimEndsMs: number | null
  heardMs: number
}

interface ClaimBookOptions {
  clock: Clock
  stateOf: (ref: ElectionRef) => ElectionState | undefined
  states: () => Iterable<ElectionState>
  publish: (changes: readonly RoutedChange[]) => void
  /** `what` happened again: said in the log now and then. */
  onDropped: (what: string) => void
}

export class ClaimBook {
  private readonly options: ClaimBookOptions
  /** Both maps are in the order in which instances were heard last. */
  private readonly elections = new Map<ElectionRef, Map<string, Entry>>()
  private readonly heard = new Map<string, { ref: ElectionRef; instance: string }>()
  private readonly changed = new Set<ElectionRef>()
  private pause: ReturnType<typeof setTimeout> | undefined

  constructor(options: ClaimBookOptions) {
    this.options = options
  }

  get size(): number {
    return this.heard.size
  }

  /** The reference of the election that the report is about. */
  take(report: CandidateReport, received: Received): ElectionRef {
    const ref = refOf(report.layout, latin1FromBase64(report.prefixBase64))
    const entries = this.elections.get(ref) ?? new Map<string, Entry>()
    this.elections.set(ref, entries)
    const was = entries.get(report.instance)
    // Two requests may overtake each other.
    if (was !== undefined && was.said.reportedAt > received.at) return ref
    this.forget(ref, report.instance)
    this.makeRoom(entries, ref)
    this.elections.set(ref, entries.set(report.instance, entryOf(report, received, was)))
    this.heard.set(`${ref}\n${report.instance}`, { ref, instance: report.instance })
    this.changed.add(ref)
    return ref
  }

  /** Publishes what changed: now after quiet, otherwise in a moment. */
  publishSoon(): void {
    if (this.pause !== undefined) return
    const changes = [...this.changed].flatMap((ref) => this.routed(this.options.stateOf(ref), true))
    this.changed.clear()
    this.options.publish(changes)
    this.pause = setTimeout(() => {
      this.pause = undefined
      if (this.changed.size > 0) this.publishSoon()
    }, PAUSE_MS)
  }

  /** Call it now and then: brings the elections up to what is known, and forgets the silent. */
  tend(): void {
    const monoMs = this.options.clock.monoMs()
    for (const { ref, instance } of this.heard.values()) {
      const entry = this.elections.get(ref)?.get(instance)
      const quiet = entry === undefined || monoMs - entry.heardMs > SILENT_MS
      if (quiet && (entry?.claimEndsMs ?? 0) < monoMs) this.forget(ref, instance)
    }
    this.options.publish([...this.options.states()].flatMap((state) => this.routed(state, false)))
  }

  stop(): void {
    clearTimeout(this.pause)
  }

  private forget(ref: ElectionRef, instance: string): void {
    const entries = this.elections.get(ref)
    entries?.delete(instance)
    if (entries?.size === 0) this.elections.delete(ref)
    this.heard.delete(`${ref}\n${instance}`)
  }

  /** Whoever was heard longest ago goes; in one election, those that claim nothing first. */
  private makeRoom(entries: ReadonlyMap<string, Entry>, ref: ElectionRef): void {
    if (entries.size >= MOST_PER_ELECTION) {
      const all = [...entries]
      const [instance] = all.find(([, entry]) => entry.claimEndsMs === null) ?? all[0] ?? []
      if (instance !== undefined) this.forget(ref, instance)
      this.options.onDropped(`more than ${MOST_PER_ELECTION} instances report of one election; the oldest is dropped`)
    }
    if (this.heard.size < MOST_IN_ALL) return
    const [oldest] = this.heard.values()
    if (oldest !== undefined) this.forget(oldest.ref, oldest.instance)
    this.options.onDropped(`more than ${MOST_IN_ALL} instances report; the oldest is dropped`)
  }

  private routed(state: ElectionState | undefined, urgent: boolean): RoutedChange[] {
    if (state === undefined) return []
    const entries = this.elections.get(state.ref)
    if (entries === undefined && state.claims.length === 0) return []
    const change = this.difference(state, entries ?? new Map(), urgent)
    return change === null ? [] : [{ ref: state.ref, change }]
  }

  /** From what the election has to what is known; `urgent`: only what a viewer must see at once. */
  private difference(state: ElectionState, entries: ReadonlyMap<string, Entry>, urgent: boolean): ClaimsChange | null {
    const put: Said[] = []
    const again: SaidAgain[] = []
    const shown = new Map(state.claims.map((claim) => [claim.instance, claim]))
    for (const [instance, entry] of entries) {
      const said = this.ranOut(entry)
      const was = shown.get(instance)
      if (was === undefined || differs(was, said, !urgent)) put.push(said)
      else if (isDue(state, was, said, urgent)) again.push(againOf(said))
    }
    const gone = state.claims.flatMap(({ instance }) => (entries.has(instance) ? [] : [instance]))
    if (put.length + again.length + gone.length === 0) return null
    return {
      type: 'claims',
      ...(put.length > 0 ? { put } : {}),
      ...(again.length > 0 ? { again } : {}),
      ...(gone.length > 0 ? { gone } : {}),
    }
  }

  /** The monotonic clock decides; where the times that viewers have say otherwise, they are told. */
  private ranOut({ said, claimEndsMs }: Entry): Said {
    const { clock } = this.options
    const now = instant(clock.nowMs())
    const over = claimEndsMs !== null && claimEndsMs <= clock.monoMs()
    return over && said.validUntil !== null && said.validUntil > now ? { ...said, validUntil: now } : said
  }
}

function entryOf(report: CandidateReport, { at, monoMs }: Received, was: Entry | undefined): Entry {
  const { token, claimLeftMs, lastWorkAgeMs } = report
  const claims = token !== null && claimLeftMs !== null
  const atMs = msOf(at)
  return {
    claimEndsMs: claims ? monoMs + claimLeftMs : null,
    heardMs: monoMs,
    said: {
      instance: report.instance,
      identity: identityOf(utf8(report.identity)),
      lease: report.lease,
      state: report.state,
      token: claims ? token : null,
      validUntil: claims ? instant(atMs + claimLeftMs) : null,
      reportedAt: at,
      lastWorkAt: lastWorkAgeMs === null ? null : instant(atMs - lastWorkAgeMs),
      rejections: report.rejections,
      missed: (was?.said.missed ?? 0) + report.missed,
    },
  }
}

const tokenText = ({ token }: Said) => token && `${token.epoch}.${token.revision}`

function differs(was: Claim, said: Said, counts: boolean): boolean {
  if (was.state !== said.state || was.lease !== said.lease || was.identity !== said.identity) return true
  if (tokenText(was) !== tokenText(said)) return true
  return counts && (was.rejections !== said.rejections || was.missed !== said.missed)
}

/** A claim that etcd does not bear out is told at once: whether it is late decides about the status. */
function isDue(state: ElectionState, was: Claim, said: Said, urgent: boolean): boolean {
  if (said.reportedAt === was.reportedAt && said.validUntil === was.validUntil) return false
  if (said.token !== null && standingOf(state, said)?.at !== 'open') return true
  if (urgent) return false
  if (said.reportedAt === was.reportedAt) return true
  return elapsedMs(was.reportedAt, said.reportedAt) >= (said.token === null ? AGAIN_MS.other : AGAIN_MS.claiming)
}

const againOf = ({ instance, reportedAt, validUntil, lastWorkAt }: Said): SaidAgain => ({
  instance,
  reportedAt,
  validUntil,
  lastWorkAt,
})
