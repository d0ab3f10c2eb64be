/** One look at ten thousand elections by every rule, against only deriving the status of each. */
import { ClusterView } from '../../../lib/election/cluster-view.ts'
import { statusOf } from '../../../lib/election/status.ts'
import { instant, systemClock } from '../../../lib/shared/clock.ts'
import { Engine } from '../../../server/alerts/engine.ts'
import { Keeper } from '../../../server/alerts/keeper.ts'
import { RenewalWindow } from '../../../server/alerts/renewal-window.ts'
import { ThresholdBook } from '../../../server/alerts/thresholds.ts'
import { median } from '../support/median.ts'
import { atMost, noReach, type Row } from '../support/row.ts'
import { clusterOf, electionAt } from './elections.ts'

const ELECTIONS = 10_000
const RUNS = 25
const RENEWALS = 100

function timed(times: number, work: (run: number) => void): number[] {
  return Array.from({ length: times }, (_, run) => {
    const startedMs = performance.now()
    work(run)
    return performance.now() - startedMs
  })
}

export function* measurePass(): Generator<Row> {
  const nowMs = Date.now()
  const states = Array.from({ length: ELECTIONS }, (_, index) =>
    electionAt(index, nowMs, index % 100 === 0 ? 30_000 + index * 300 : null),
  )
  const view = new ClusterView(clusterOf(nowMs), states)
  const renewals = new RenewalWindow()
  for (const { ref } of states) {
    for (let nth = 0; nth < RENEWALS; nth += 1) renewals.add(ref, nowMs - nth * 2_000, 4)
  }
  const engine = new Engine({
    clock: systemClock,
    keeper: new Keeper(),
    thresholds: new ThresholdBook({ rules: {}, elections: [{ pattern: '/elections/team-1/*/', rules: {} }] }),
    watched: [{ name: 'bench', view, alarms: () => [], certificates: () => ({ known: [], isWhole: true }), renewals }],
    historyTrouble: () => undefined,
    onReminder: () => {},
  })
  const statuses = timed(RUNS, () => {
    for (const state of states) statusOf(state, view.info, instant(nowMs))
  })
  const passes = timed(RUNS, () => engine.pass())
  yield {
    name: `every rule over ${ELECTIONS.toLocaleString('en-US')} elections`,
    value: median(passes),
    unit: 'ms',
    reference: median(statuses),
    reach: atMost(50),
  }
  const changes = timed(1_000, (run) =>
    engine.changed(
      'bench',
      [states[run]?.ref ?? states[0]?.ref].flatMap((ref) => ref ?? []),
    ),
  )
  yield { name: '… over the one that changed', value: median(changes), unit: 'ms', reach: noReach }
}
