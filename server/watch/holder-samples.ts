/** Renewals as leaders measured them, and those they missed: into the history, under the name that etcd has for them. */
import type { CandidateReport } from '../../lib/election/reports.ts'
import type { ElectionRef, ElectionState, Term } from '../../lib/election/types.ts'
import { type Clock, instant, msOf } from '../../lib/shared/clock.ts'
import type { History } from '../history/history.ts'
import type { Received } from './claim-book.ts'

/** A leader renews every TTL/3: more than this would push other history out of the buffer. */
const PER_S = 20
const BURST = 2_000
/** The end of a term is seen when etcd has acted, the last renewal was before. */
const AFTER_END_MS = 2_000
const MOST_KNOWN = 5_000

interface HolderSamplesOptions {
  cluster: string
  clock: Clock
  history: Pick<History, 'sample'>
  onDropped: (what: string) => void
}

export class HolderSamples {
  private readonly options: HolderSamplesOptions
  private readonly room = new Map<ElectionRef, { left: number; atMs: number }>()

  constructor(options: HolderSamplesOptions) {
    this.options = options
  }

  /** Only what was measured while holding the seat: others' renewals are not the holder's. */
  take(state: ElectionState, report: CandidateReport, received: Received): void {
    if (report.renewals.length === 0 && report.missed === 0) return
    const terms = [...(state.term === null ? [] : [state.term]), ...state.ended].filter((term) => isBy(term, report))
    if (terms.length === 0) return
    this.takeMissed(state.ref, terms, report.missed, received)
    const { cluster, history } = this.options
    for (const { ageMs, rttMs } of report.renewals) {
      const atMs = msOf(received.at) - ageMs
      const term = terms.find((each) => covers(each, atMs))
      if (term === undefined) continue
      if (!this.hasRoom(state.ref, received.monoMs)) return
      history.sample(
        { cluster, source: 'holder', ref: state.ref, identity: term.leader.identity },
        instant(atMs),
        rttMs,
      )
    }
  }

  /** One sample each. When it was is not reported: some time before the report came. */
  private takeMissed(ref: ElectionRef, terms: readonly Term[], missed: number, { at, monoMs }: Received): void {
    const term = terms.find((each) => covers(each, msOf(at)))
    if (term === undefined) return
    const { cluster, history } = this.options
    const { identity } = term.leader
    for (let nth = 0; nth < missed && this.hasRoom(ref, monoMs); nth += 1) {
      history.sample({ cluster, source: 'missed', ref, identity }, at, 1)
    }
  }

  private hasRoom(ref: ElectionRef, monoMs: number): boolean {
    const was = this.room.get(ref) ?? { left: BURST, atMs: monoMs }
    const left = Math.min(BURST, was.left + ((monoMs - was.atMs) * PER_S) / 1_000)
    if (this.room.size >= MOST_KNOWN) this.room.clear()
    this.room.set(ref, { left: Math.max(0, left - 1), atMs: monoMs })
    if (left >= 1) return true
    this.options.onDropped(`more than ${PER_S} renewals a second of one leader are reported; the rest is dropped`)
    return false
  }
}

function isBy({ token, leader }: Term, report: CandidateReport): boolean {
  return report.lease === null ? report.token?.revision === token : leader.lease === report.lease
}

function covers(term: Term, atMs: number): boolean {
  if (term.to !== null && atMs > msOf(term.to) + AFTER_END_MS) return false
  return term.fromAtLeast || atMs >= msOf(term.from)
}
