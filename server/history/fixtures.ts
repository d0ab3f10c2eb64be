/** What the tests of history are made of. */
import type { Fact } from '../../lib/election/changes.ts'
import { refOf } from '../../lib/election/ids.ts'
import type { EndedBy, LeaseId, Revision, Term } from '../../lib/election/types.ts'
import { type Clock, instant } from '../../lib/shared/clock.ts'
import type { ElectionIdentity, History } from './history.ts'

export const START_MS = Date.parse('2026-03-12T03:00:00.000Z')
export const CLUSTER = 'prod'
export const at = (seconds: number) => instant(START_MS + seconds * 1000)
export const revision = (value: string | number) => String(value) as Revision

/** Stands still unless it is moved. */
export class ManualClock implements Clock {
  ms = START_MS
  nowMs(): number {
    return this.ms
  }
  monoMs(): number {
    return performance.now()
  }
}

export function election(name = 'jobs'): ElectionIdentity {
  const prefix = `/${name}/`
  return {
    ref: refOf('queue', prefix),
    layout: 'queue',
    prefix,
    prefixBase64: btoa(prefix),
    foundBy: 'key ends in its own lease id',
    confirmed: true,
  }
}

export const LOST: EndedBy = { cause: 'lease lost', evidence: 'lease look-up after the delete: gone' }
export const RESIGNED: EndedBy = { cause: 'resigned or removed', evidence: 'key gone, lease alive' }

export function term(ordinal: number, token: string | number, from: number, part: Partial<Term> = {}): Term {
  const lease = '694d7b1f2c3a4e01' as LeaseId
  return {
    ordinal,
    epoch: 0,
    token: revision(token),
    leader: { identity: `worker-${ordinal}`, key: `/jobs/${lease}`, keyBase64: btoa(`/jobs/${lease}`), lease },
    from: at(from),
    fromAtLeast: false,
    to: null,
    gapMs: null,
    takeoverMs: null,
    silentMs: null,
    endedBy: null,
    ...part,
  }
}

export const started = (value: Term): Fact => ({
  type: 'term-started',
  at: value.from,
  revision: value.token,
  term: value,
})

export const ended = (value: Term): Fact => ({
  type: 'term-ended',
  at: value.to ?? value.from,
  revision: value.token,
  term: value,
})

/** `count` terms of ten seconds each, back to back; all ended. */
export function endedTerms(count: number): Term[] {
  return Array.from({ length: count }, (_, n) =>
    term(n + 1, 100 + n, n * 10, { to: at(n * 10 + 9), endedBy: RESIGNED, gapMs: n === 0 ? null : 1000 }),
  )
}

export interface Harness {
  clock: ManualClock
  history: History
  /** Stops and starts it again over what it kept. */
  restart(): Promise<History>
  stop(): Promise<void>
}

export type With = (run: (harness: Harness) => Promise<void>) => () => Promise<void>

/** Each test gets a history of its own. */
export function withHarness(open: () => Promise<Harness>): With {
  return (run) => async () => {
    const harness = await open()
    try {
      await run(harness)
    } finally {
      await harness.stop()
    }
  }
}
