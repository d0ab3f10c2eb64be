/** Small truths and what a faithful Tenure would tell of them, for the tests of the judge. */
import type { Deed, RecordedEvent, RecordedRevision, Seat, Span, Told, Truth } from './model.ts'
import { replay } from './replay.ts'

export const JOB: Seat = { layout: 'queue', prefix: '/elections/job/' }
export const START_MS = Date.parse('2026-03-12T03:00:00Z')

export const put = (key: string, created: number, lease = '11'): RecordedEvent => ({
  type: 'put',
  key,
  value: `value of ${key}`,
  lease,
  created,
})
export const gone = (key: string, created: number, lease = '11'): RecordedEvent => ({
  ...put(key, created, lease),
  type: 'delete',
})

/** The first revision is 2; each comes ten seconds after the one before it. */
export function recorded(...groups: RecordedEvent[][]): RecordedRevision[] {
  return groups.map((events, at) => ({ revision: at + 2, atMs: START_MS + at * 10_000, events }))
}

/** Two candidates: a leads, then b, then a again with a new key. */
export function story(): RecordedRevision[] {
  return recorded(
    [put('/elections/job/a', 2)],
    [put('/elections/job/b', 3, '12')],
    [gone('/elections/job/a', 2)],
    [put('/elections/job/a', 5)],
    [gone('/elections/job/b', 3, '12')],
    [put('/elections/job/a', 5)],
  )
}

export const truthOf = (revisions = story(), seat = JOB): Truth => replay(revisions, [seat])[0] as Truth

/** Tells the truth, each thing 20 ms later. */
export function faithful(truth: Truth, gaps: Span[] = []): Told {
  return {
    seat: truth.seat,
    gaps,
    terms: truth.terms.map(({ token, key, fromMs, toMs }, at) => ({
      ordinal: at + 1,
      epoch: 0,
      token,
      key,
      fromMs: fromMs + 20,
      toMs: toMs === null ? null : toMs + 20,
      cause: toMs === null ? null : 'unobserved',
      evidence: null,
    })),
    events: truth.events.map(({ type, revision, key, atMs }) => ({
      type,
      revision,
      key: type === 'proclaimed' ? null : key,
      atMs: atMs + 20,
      token: null,
    })),
  }
}

export const granted = (lease: string): Deed => ({ type: 'granted', lease, atMs: START_MS - 1_000 })
