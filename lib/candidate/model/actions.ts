/** What can happen in the model: to a candidate, to the store, and between them. Most of it passes after a while. */
import fc from 'fast-check'
import type { Weather } from './rough-network.ts'

export type Who = 0 | 1 | 2
export type SwitchState = 'engaged' | 'garbled' | 'unknown version' | 'released'

export type Action =
  | { do: 'pass'; ms: number }
  | { do: 'to'; what: Deed; who: Who; forMs: number }
  /** How long its work takes to end once told, and whether it throws then. */
  | { do: 'lag'; who: Who; ms: number; isTouchy: boolean }
  | { do: 'slow'; who: Who; ms: number }
  | { do: 'weather'; weather: Weather }
  | { do: 'switch'; state: SwitchState; scope: 'job/' | ''; forMs: number }
  | { do: 'hand off'; to: Who | null }
  | { do: 'event'; what: Event; forMs: number }
  | { do: 'restore'; back: number; forMs: number }
  | { do: 'no space'; forMs: number }

export type Deed = (typeof DEEDS)[number]
const DEEDS = [
  'start',
  'stop',
  'resign',
  'proclaim',
  'revoke lease',
  'delete key',
  'take key',
  'hold key',
  'partition',
  'partition',
  'freeze',
  'freeze',
] as const

export type Event = (typeof EVENTS)[number]
const EVENTS = ['withdraw', 'raise epoch', 'garble epoch', 'foreigner comes'] as const

const only = <T extends string>(value: T) => fc.constant(value)
const who = fc.constantFrom<Who>(0, 1, 2)
const forMs = fc.constantFrom(30, 400, 1_500, 2_900, 5_000, 9_000)

export const anyAction: fc.Arbitrary<Action> = fc.oneof(
  { weight: 30, arbitrary: fc.record({ do: only('pass'), ms: fc.constantFrom(1, 20, 100, 700, 1_500, 2_500) }) },
  { weight: 18, arbitrary: fc.record({ do: only('to'), what: fc.constantFrom(...DEEDS), who, forMs }) },
  { weight: 2, arbitrary: fc.record({ do: only('slow'), who, ms: fc.constantFrom(0, 0, 300, 900, 1_500) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: only('lag'), who, ms: fc.constantFrom(0, 30, 900, 2_400), isTouchy: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: only('weather'), weather: fc.constantFrom<Weather>('calm', 'calm', 'rough', 'stormy') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: only('switch'),
      scope: fc.constantFrom('job/', '' as const),
      state: fc.constantFrom<SwitchState>('engaged', 'garbled', 'unknown version', 'released'),
      forMs,
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: only('hand off'), to: fc.option(who) }) },
  { weight: 2, arbitrary: fc.record({ do: only('event'), what: fc.constantFrom(...EVENTS), forMs }) },
  { weight: 1, arbitrary: fc.record({ do: only('restore'), back: fc.integer({ min: 1, max: 15 }), forMs }) },
  { weight: 1, arbitrary: fc.record({ do: only('no space'), forMs }) },
)
