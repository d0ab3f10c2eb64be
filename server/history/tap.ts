/** Lets others hear what is recorded, such as counters and alerts, without the watchers knowing of them. */
import type { Fact } from '../../lib/election/changes.ts'
import type { Gap } from '../../lib/election/types.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import type { ElectionIdentity, History, SeriesKey } from './history.ts'

/** Called after the history has taken it, in the order of the list. Must not wait, nor change what it gets. */
export interface HistoryListener {
  /** What a change meant. Also with no fact: a queue moved, or somebody confirmed the election. */
  onFacts?(cluster: string, election: ElectionIdentity, facts: readonly Fact[]): void
  /** One with the same `from` extends the one before. */
  onGap?(cluster: string, gap: Gap): void
  onSample?(series: SeriesKey, at: Instant, value: number): void
}

/** A listener that throws harms neither the history nor the next one: it is told to `onTrouble`. */
export function tapHistory(
  history: History,
  listeners: readonly HistoryListener[],
  onTrouble: (error: unknown) => void = (error) => console.error('a listener of the history failed', error),
): History {
  const tell = (say: (listener: HistoryListener) => void) => {
    for (const listener of listeners) {
      try {
        say(listener)
      } catch (error) {
        onTrouble(error)
      }
    }
  }
  return {
    record(cluster, election, facts, queue) {
      history.record(cluster, election, facts, queue)
      tell((listener) => listener.onFacts?.(cluster, election, facts))
    },
    recordGap(cluster, gap) {
      history.recordGap(cluster, gap)
      tell((listener) => listener.onGap?.(cluster, gap))
    },
    sample(series, at, value) {
      history.sample(series, at, value)
      tell((listener) => listener.onSample?.(series, at, value))
    },
    load: (cluster, now) => history.load(cluster, now),
    seeds: (cluster, refs, now) => history.seeds(cluster, refs, now),
    recordTerm: (cluster, election, term) => history.recordTerm(cluster, election, term),
    recordStops: (cluster, stops) => history.recordStops(cluster, stops),
    recordConditions: (cluster, conditions) => history.recordConditions(cluster, conditions),
    alive: (cluster, mark) => history.alive(cluster, mark),
    terms: (query) => history.terms(query),
    events: (query) => history.events(query),
    renewals: (query) => history.renewals(query),
    stops: (query) => history.stops(query),
    past: (cluster, at) => history.past(cluster, at),
    beside: (query) => history.beside(query),
    failovers: (query) => history.failovers(query),
    transitionRows: (query) => history.transitionRows(query),
    annotations: (query) => history.annotations(query),
    annotate: (annotation) => history.annotate(annotation),
    conditions: (query) => history.conditions(query),
    observedSince: (cluster) => history.observedSince(cluster),
    flush: () => history.flush(),
    state: () => history.state(),
    close: () => history.close(),
  }
}
