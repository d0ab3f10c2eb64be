import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refOf } from './ids.ts'
import { openElection } from './reducer.ts'
import { skewOf } from './skew.ts'
import type { ElectionState, LeaseId, Revision } from './types.ts'

const AT = '2026-03-12T03:00:00.000Z'

/** Candidates in queue order. */
function election(name: string, identities: readonly string[], part: Partial<ElectionState> = {}): ElectionState {
  const prefix = `/${name}/`
  const keys = identities.map((identity, at) => ({
    key: `${prefix}${at}`,
    keyBase64: btoa(`${prefix}${at}`),
    identity,
    valueBytes: identity.length,
    lease: `00000000000000${at}${name.length}` as LeaseId,
    createRevision: String(at + 1) as Revision,
    modRevision: String(at + 1) as Revision,
    nested: false,
  }))
  const { state } = openElection({
    type: 'opened',
    at: AT,
    revision: '99' as Revision,
    live: false,
    layout: 'queue',
    prefix,
    prefixBase64: btoa(prefix),
    confirmed: true,
    foundBy: 'test',
    epoch: 0,
    keys,
  })
  return { ...state, ...part }
}
const none = () => false
const counts = (states: readonly ElectionState[]) =>
  skewOf(states, none).holders.map(({ name, leads }) => [name, leads])

describe('leader skew', () => {
  it('counts who leads how many of the elections it stands in', () => {
    const states = [election('a', ['w1', 'w2']), election('b', ['w1', 'w2']), election('c', ['w1'])]
    expect(skewOf(states, none).holders).toEqual([
      { name: 'w1', leads: 3, standsIn: 3 },
      { name: 'w2', leads: 0, standsIn: 2 },
    ])
  })

  it('previews handoffs to those who are next up, until none makes it more even', () => {
    const states = ['a', 'b', 'c', 'd'].map((name) => election(name, ['w1', 'w2', 'w3']))
    const { moves, after } = skewOf(states, none)
    expect(moves.map(({ from, to }) => `${from} ${to}`)).toEqual(['w1 w2', 'w1 w2'])
    expect([...after]).toEqual([
      ['w1', 2],
      ['w2', 2],
    ])
    expect(skewOf([election('a', ['w1', 'w2']), election('b', ['w2', 'w1'])], none).moves).toEqual([])
  })

  it('moves nothing that is left alone, has no next up, or is none of the confirmed elections', () => {
    const states = [election('a', ['w1', 'w2']), election('b', ['w1', 'w2']), election('c', ['w1'])]
    const left = refOf('queue', '/a/')
    expect(skewOf(states, ({ ref }) => ref === left).moves).toEqual([
      { ref: refOf('queue', '/b/'), from: 'w1', to: 'w2' },
    ])
    expect(counts([election('a', ['w1', 'w2'], { confirmed: false })])).toEqual([])
    expect(counts([election('a', ['', ''])])).toEqual([])
  })

  it('never merges two of one name into one holder (RC-14)', () => {
    const twins = election('rc14', ['localhost', 'localhost'])
    expect(counts([twins])).toEqual([
      ['localhost (lease 0000000000000004)', 1],
      ['localhost (lease 0000000000000014)', 0],
    ])
  })

  it('never makes it less even, and keeps the number of leaderships', () => {
    const queue = fc.shuffledSubarray(['w1', 'w2', 'w3', 'w4', 'w5'], { minLength: 1 })
    fc.assert(
      fc.property(fc.array(queue, { minLength: 1, maxLength: 30 }), (queues) => {
        const skew = skewOf(
          queues.map((identities, at) => election(`e${at}`, identities)),
          none,
        )
        const squares = (values: Iterable<number>) => [...values].reduce((sum, value) => sum + value * value, 0)
        const before = skew.holders.map(({ leads }) => leads)
        expect([...skew.after.values()].reduce((sum, value) => sum + value, 0)).toBe(queues.length)
        expect(squares(skew.after.values())).toBeLessThanOrEqual(squares(before) - 2 * skew.moves.length)
      }),
    )
  })
})
