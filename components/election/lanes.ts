/** The lanes of one election: who they are, in which order, in which colour. Lists and detail pages share them. */
import { competitors } from '../../lib/election/queue.ts'
import { sharedIdentities } from '../../lib/election/status.ts'
import type { ElectionState, Leader } from '../../lib/election/types.ts'
import { type LaneSlot, laneSlots } from './lane-colours.ts'

export interface Lane {
  /** `keyOf` of everything that runs in this lane. */
  key: string
  identity: string
  colour: LaneSlot
}

export interface Lanes {
  /** Fixed order, so that position carries identity too. */
  lanes: readonly Lane[]
  keyOf(leader: Pick<Leader, 'identity' | 'keyBase64'>): string
}

const collator = new Intl.Collator('en', { numeric: true })
const cache = new WeakMap<ElectionState, Lanes>()

function build(state: ElectionState): Lanes {
  const shared = sharedIdentities(state.candidates)
  const keyOf = (leader: Pick<Leader, 'identity' | 'keyBase64'>) =>
    leader.identity === '' || shared.has(leader.identity) ? leader.keyBase64 : `=${leader.identity}`
  const led = [...state.ended.map((term) => term.leader), ...(state.term ? [state.term.leader] : [])]
  const identities = new Map([...competitors(state.candidates), ...led].map((who) => [keyOf(who), who.identity]))
  const keys = [...identities.keys()].sort(collator.compare)
  const colours = laneSlots(keys)
  const lanes = keys.map((key) => ({
    key,
    identity: identities.get(key) ?? '',
    colour: colours.get(key) ?? { slot: 1 as const, notched: true },
  }))
  return { lanes, keyOf }
}

export function lanesOf(state: ElectionState): Lanes {
  const known = cache.get(state)
  if (known !== undefined) return known
  const lanes = build(state)
  cache.set(state, lanes)
  return lanes
}

/** The colour of one candidate or leader of `state`. */
export function colourOf(state: ElectionState, who: Pick<Leader, 'identity' | 'keyBase64'>): LaneSlot | undefined {
  const { lanes, keyOf } = lanesOf(state)
  const key = keyOf(who)
  return lanes.find((lane) => lane.key === key)?.colour
}
