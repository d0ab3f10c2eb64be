/** Which of the six leader colours a candidate wears. It means identity inside one election and nothing beyond. */

export interface LaneSlot {
  /** 1–6: the CSS variables `--l1` … `--l6`. */
  slot: 1 | 2 | 3 | 4 | 5 | 6
  /** The slot was taken already: it is drawn with a notch. */
  notched: boolean
}

const SLOTS = [1, 2, 3, 4, 5, 6] as const

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  }
  return value >>> 0
}

/**
 * A slot for every key (an identity, or a key where identities are shared), in the order given: each
 * takes the slot its hash names, or the next free one. Give the same keys first wherever an election
 * is drawn, and later ones never change the colours of earlier ones. The 7th key reuses slot 1, notched.
 */
export function laneSlots(keys: readonly string[]): ReadonlyMap<string, LaneSlot> {
  const slots = new Map<string, LaneSlot>()
  const taken = new Set<number>()
  for (const key of keys) {
    if (slots.has(key)) continue
    if (taken.size < SLOTS.length) {
      let at = hash(key) % SLOTS.length
      while (taken.has(at)) at = (at + 1) % SLOTS.length
      taken.add(at)
      slots.set(key, { slot: SLOTS[at] ?? 1, notched: false })
    } else {
      slots.set(key, { slot: SLOTS[slots.size % SLOTS.length] ?? 1, notched: true })
    }
  }
  return slots
}

/** The CSS colour of a slot; grey for nobody. */
export function laneColour(lane: LaneSlot | undefined): string {
  return lane === undefined ? 'var(--t3)' : `var(--l${lane.slot})`
}
