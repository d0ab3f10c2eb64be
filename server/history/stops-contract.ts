/** What every `History` does with the stops of kill switches. */
import { describe, expect, it } from 'vitest'
import type { Stop } from '../../lib/election/stops.ts'
import { at, CLUSTER, type With } from './fixtures.ts'

function stop(nonce: string, from: number, part: Partial<Stop> = {}): Stop {
  const scope = { scope: '/jobs/', scopeBase64: btoa('/jobs/'), match: 'exact' as const }
  return {
    ...scope,
    nonce,
    by: 'ann',
    reason: 'upgrade',
    from: at(from),
    to: null,
    ended: null,
    endedBy: null,
    ...part,
  }
}

export function stopsContract(withHistory: With): void {
  describe('stops', () => {
    it(
      'knows a stop that holds, and its end when it came',
      withHistory(async ({ history }) => {
        expect(await history.stops({ cluster: CLUSTER })).toEqual([])
        history.recordStops(CLUSTER, [stop('n1', 0)])
        expect(await history.stops({ cluster: CLUSTER, open: true })).toEqual([stop('n1', 0)])
        const over = stop('n1', 0, { to: at(9), ended: 'released', endedBy: 'ben' })
        history.recordStops(CLUSTER, [over, stop('n2', 20)])
        expect(await history.stops({ cluster: CLUSTER })).toEqual([stop('n2', 20), over])
        expect(await history.stops({ cluster: CLUSTER, open: true })).toEqual([stop('n2', 20)])
        expect(await history.stops({ cluster: 'another' })).toEqual([])
      }),
    )

    it(
      'answers for a range with every stop that held in it',
      withHistory(async ({ history }) => {
        const over = stop('n1', 0, { to: at(9), ended: 'vanished' })
        history.recordStops(CLUSTER, [over, stop('n2', 20)])
        expect(await history.stops({ cluster: CLUSTER, from: at(10), to: at(20) })).toEqual([])
        expect(await history.stops({ cluster: CLUSTER, from: at(9), to: at(10) })).toEqual([over])
        expect(await history.stops({ cluster: CLUSTER, from: at(100) })).toEqual([stop('n2', 20)])
      }),
    )
  })
}
