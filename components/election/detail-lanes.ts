/** Lanes of the page: those of the list first, in its order and colours, then leaders that only history knows. */
import type { ElectionState, Leader, Term } from '../../lib/election/types.ts'
import { identityText, shortLease } from './detail-identity.ts'
import { type LaneSlot, laneSlots } from './lane-colours.ts'
import { lanesOf } from './lanes.ts'

export interface PageLane {
  key: string
  label: string
  colour: LaneSlot | undefined
}

export interface PageLanes {
  lanes: readonly PageLane[]
  /** Lane of a leader, as an index. */
  laneOf(leader: Leader): number
  colourOf(who: Pick<Leader, 'identity' | 'keyBase64'>): LaneSlot | undefined
}

const MOST_LANES = 8
/** In a long queue, so many of those who never led. */
const LEAST_LANES = 3
const OTHERS = 'others'

function labelOf(key: string, leader: Pick<Leader, 'identity' | 'lease' | 'key'>): string {
  const alone = key.startsWith('=')
  return alone ? leader.identity : `${identityText(leader.identity)} ${shortLease(leader)}`
}

/**
 * `terms` newest first. A lane for whoever led in them and for every candidate, but no more than eight:
 * then leaders go first and the rest share the last one.
 */
export function pageLanes(state: ElectionState, terms: readonly Term[]): PageLanes {
  const known = lanesOf(state)
  const people = new Map<string, Pick<Leader, 'identity' | 'lease' | 'key'>>()
  for (const who of [...state.candidates, ...terms.map((term) => term.leader)]) {
    const key = known.keyOf(who)
    if (!people.has(key)) people.set(key, who)
  }
  const led = new Set(terms.map((term) => known.keyOf(term.leader)))
  const first = known.lanes.map((lane) => lane.key)
  const keys = [...first, ...[...led].filter((key) => !first.includes(key))]
  const colours = laneSlots(keys)
  const ranked = [...keys.filter((key) => led.has(key)), ...keys.filter((key) => !led.has(key))]
  const room = Math.max(LEAST_LANES, Math.min(MOST_LANES - 1, led.size))
  const chosen = new Set(ranked.length > MOST_LANES ? ranked.slice(0, room) : ranked)
  const own: PageLane[] = keys
    .filter((key) => chosen.has(key))
    .map((key) => ({
      key,
      label: labelOf(key, people.get(key) ?? { identity: '', lease: null, key: '' }),
      colour: colours.get(key),
    }))
  const rest = keys.length - own.length
  const lanes = rest === 0 ? own : [...own, { key: OTHERS, label: `${rest} others`, colour: undefined }]
  const index = new Map(lanes.map((lane, at) => [lane.key, at]))
  return {
    lanes,
    laneOf: (leader) => index.get(known.keyOf(leader)) ?? lanes.length - 1,
    colourOf: (who) => colours.get(known.keyOf(who)),
  }
}
