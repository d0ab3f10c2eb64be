/** What candidates of one cluster post: their claims into its elections, their renewals into the history. */
import type { CandidateReport } from '../../lib/election/reports.ts'
import type { Clock } from '../../lib/shared/clock.ts'
import type { History } from '../history/history.ts'
import { ClaimBook, type Received } from './claim-book.ts'
import type { Elections } from './elections.ts'
import { HolderSamples } from './holder-samples.ts'
import type { Troubles } from './troubles.ts'

interface ReportedOptions {
  name: string
  clock: Clock
  history: History
  elections: Elections
  troubles: Troubles
}

export class Reported {
  private readonly elections: Elections
  private readonly claims: ClaimBook
  private readonly samples: HolderSamples

  constructor({ name, clock, history, elections, troubles }: ReportedOptions) {
    const onDropped = (what: string) => troubles.note('reports', what)
    this.elections = elections
    this.samples = new HolderSamples({ cluster: name, clock, history, onDropped })
    this.claims = new ClaimBook({
      clock,
      stateOf: (ref) => elections.view.elections.get(ref),
      states: () => elections.view.elections.values(),
      publish: (changes) => elections.publish(changes),
      onDropped,
    })
  }

  /** Returns the reports of elections that are not known here; they are kept in case one appears. */
  hear(reports: readonly CandidateReport[], received: Received): CandidateReport[] {
    const unknown = reports.filter((report) => {
      const state = this.elections.view.elections.get(this.claims.take(report, received))
      if (state !== undefined) this.samples.take(state, report, received)
      return state === undefined
    })
    this.claims.publishSoon()
    return unknown
  }

  tend(): void {
    this.claims.tend()
  }

  stop(): void {
    this.claims.stop()
  }
}
