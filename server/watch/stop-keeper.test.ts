import { expect, test } from 'vitest'
import type { StandingSwitch } from '../../lib/election/scopes.ts'
import { FakeHistory } from '../history/fake-history.ts'
import { ManualClock } from '../history/fixtures.ts'
import { StopKeeper } from './stop-keeper.ts'

const clock = new ManualClock()
const engaged = (nonce: string): StandingSwitch => ({
  scope: '/e/',
  scopeBase64: btoa('/e/'),
  state: 'engaged',
  match: 'prefix',
  record: {
    by: 'ann',
    reason: 'upgrade',
    at: '2026-03-12T02:59:00.000Z',
    until: '2026-03-12T04:00:00.000Z',
    nonce,
    mode: 'cooperative',
    log: [],
  },
})

test('a stop outlives the server: it goes on, or ended while nobody watched', async () => {
  const history = new FakeHistory(clock)
  const before = new StopKeeper({ name: 'prod', history, clock })
  await before.follow([engaged('n1')])
  expect(before.recent()).toMatchObject([{ nonce: 'n1', by: 'ann', to: null }])

  const after = new StopKeeper({ name: 'prod', history, clock })
  await after.follow([engaged('n1')])
  expect(await history.stops({ cluster: 'prod' })).toHaveLength(1)

  const later = new StopKeeper({ name: 'prod', history, clock })
  await later.follow([])
  expect(later.recent()).toMatchObject([{ nonce: 'n1', ended: 'vanished' }])
  expect(await history.stops({ cluster: 'prod', open: true })).toEqual([])
})

test('of readings that come while history is read, the newest counts', async () => {
  const history = new FakeHistory(clock)
  const keeper = new StopKeeper({ name: 'prod', history, clock })
  await Promise.all([keeper.follow([engaged('n1')]), keeper.follow([engaged('n2')])])
  expect((await history.stops({ cluster: 'prod' })).map(({ nonce }) => nonce)).toEqual(['n2'])
})

test('an hour after its end a stop is history', async () => {
  const keeper = new StopKeeper({ name: 'prod', history: new FakeHistory(clock), clock })
  await keeper.follow([engaged('n1')])
  await keeper.follow([])
  expect(keeper.recent()).toHaveLength(1)
  clock.ms += 3_600_001
  expect(keeper.recent()).toEqual([])
})
