import { expect, it } from 'vitest'
import type { Fact } from '../../lib/election/changes.ts'
import { FakeHistory } from './fake-history.ts'
import { at, CLUSTER, election, ManualClock, started, term } from './fixtures.ts'
import { historyContract } from './history-contract.ts'
import { type HistoryListener, tapHistory } from './tap.ts'

historyContract('tapped history', async () => {
  const clock = new ManualClock()
  const history = new FakeHistory(clock)
  const tapped = tapHistory(history, [{}])
  return {
    clock,
    history: tapped,
    restart: async () => {
      history.restart()
      return tapped
    },
    stop: () => tapped.close(),
  }
})

const noteTo = (heard: unknown[], name: string): HistoryListener => ({
  onFacts: (cluster, { prefix }, facts: readonly Fact[]) => heard.push([name, cluster, prefix, facts.length]),
  onGap: (cluster, { reason }) => heard.push([name, cluster, reason]),
  onSample: ({ cluster, source }, _, value) => heard.push([name, cluster, source, value]),
})

it('tells every listener what was recorded, in their order', () => {
  const heard: unknown[] = []
  const tapped = tapHistory(new FakeHistory(new ManualClock()), [noteTo(heard, 'one'), {}, noteTo(heard, 'two')])
  tapped.record(CLUSTER, election(), [started(term(1, 10, 0))])
  tapped.recordGap(CLUSTER, { from: at(1), to: at(2), reason: 'no answer' })
  tapped.sample({ cluster: CLUSTER, source: 'probe', member: 'm1' }, at(3), 4)
  expect(heard).toEqual([
    ['one', CLUSTER, '/jobs/', 1],
    ['two', CLUSTER, '/jobs/', 1],
    ['one', CLUSTER, 'no answer'],
    ['two', CLUSTER, 'no answer'],
    ['one', CLUSTER, 'probe', 4],
    ['two', CLUSTER, 'probe', 4],
  ])
})

it('a listener that throws harms neither the history nor the next listener', async () => {
  const heard: unknown[] = []
  const troubles: unknown[] = []
  const broken: HistoryListener = {
    onFacts: () => {
      throw new Error('broken')
    },
  }
  const history = new FakeHistory(new ManualClock())
  const tapped = tapHistory(history, [broken, noteTo(heard, 'next')], (error) => troubles.push(error))
  tapped.record(CLUSTER, election(), [started(term(1, 10, 0))])
  expect(troubles).toEqual([new Error('broken')])
  expect(heard).toHaveLength(1)
  expect((await tapped.terms({ cluster: CLUSTER, ref: election().ref, limit: 5 })).terms).toHaveLength(1)
})
