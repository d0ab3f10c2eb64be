import { expect, it } from 'vitest'
import { FakeHistory } from './fake-history.ts'
import { at, CLUSTER, election, ManualClock } from './fixtures.ts'
import { HistoryUnavailable } from './history.ts'
import { historyContract } from './history-contract.ts'

historyContract('fake history', async () => {
  const clock = new ManualClock()
  const history = new FakeHistory(clock)
  return {
    clock,
    history,
    restart: async () => {
      history.restart()
      return history
    },
    stop: () => history.close(),
  }
})

it('can be told to fail as a disk does', async () => {
  const history = new FakeHistory(new ManualClock())
  history.failure = 'disk full'
  expect(history.state()).toMatchObject({ ok: false, error: 'disk full' })
  expect(await history.load(CLUSTER, at(0))).toMatchObject({ elections: [], error: 'disk full' })
  const query = { cluster: CLUSTER, ref: election().ref, limit: 1 }
  await expect(history.terms(query)).rejects.toBeInstanceOf(HistoryUnavailable)
})
