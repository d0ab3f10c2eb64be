/** A small seeded generator (mulberry32): the same seed, the same schedule. */
export interface Random {
  /** In [0, 1). */
  next(): number
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number
  /** Between the two, short ones more often: evenly spread on a logarithmic scale. */
  skewed(least: number, most: number): number
  pick<T>(from: readonly T[]): T
  /** Draws everything once before anything comes again. */
  bag<T>(of: readonly T[]): () => T
}

export function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  const pick = <T>(from: readonly T[]): T => {
    const found = from[Math.floor(next() * from.length)]
    if (found === undefined) throw new RangeError('nothing to pick from')
    return found
  }
  return {
    next,
    whole,
    pick,
    skewed: (least, most) => Math.round(least * (most / least) ** next()),
    bag: (of) => {
      let left: (typeof of)[number][] = []
      return () => {
        if (left.length === 0) left = [...of]
        return left.splice(Math.floor(next() * left.length), 1)[0] as (typeof of)[number]
      }
    },
  }
}
