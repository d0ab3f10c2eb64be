import { describe, expect, it } from 'vitest'
import { laneSlots } from './lane-colours.ts'

const names = (n: number) => Array.from({ length: n }, (_, at) => `worker-${at}`)

describe('laneSlots', () => {
  it('gives six keys six different slots', () => {
    const slots = [...laneSlots(names(6)).values()]
    expect(new Set(slots.map(({ slot }) => slot)).size).toBe(6)
    expect(slots.some(({ notched }) => notched)).toBe(false)
  })

  it('reuses slot 1 with a notch for the seventh, slot 2 for the eighth', () => {
    const slots = laneSlots(names(8))
    expect(slots.get('worker-6')).toEqual({ slot: 1, notched: true })
    expect(slots.get('worker-7')).toEqual({ slot: 2, notched: true })
  })

  it('keeps the colours of earlier keys when later ones join', () => {
    const few = laneSlots(names(3))
    const many = laneSlots(names(9))
    for (const [key, slot] of few) expect(many.get(key)).toEqual(slot)
  })

  it('gives a key its own slot whatever else the election is called', () => {
    expect(laneSlots(['a']).get('a')).toEqual(laneSlots(['a', 'b', 'c']).get('a'))
  })
})
