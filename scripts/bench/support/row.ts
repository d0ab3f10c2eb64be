/** What has to come out: words for the reader, and the rule that judges (after a median, too). */
export interface Reach {
  text: string
  judge(value: number, reference: number | undefined): boolean
}

/** One line of a bench's table. */
export interface Row {
  name: string
  value: number
  unit: string
  /** What a peer needed for the same in the same run. */
  reference?: number
  reach: Reach
}

/** What `scripts/bench/<name>.ts` exports as `bench`. */
export type Bench = (options: BenchOptions) => AsyncIterable<Row>

export interface BenchOptions {
  /** How long to measure, for those benches that can be told. */
  minutes?: number
}

export const atMost = (limit: number): Reach => ({
  text: `≤ ${limit}`,
  judge: (value) => value <= limit,
})

export const atLeast = (limit: number): Reach => ({
  text: `≥ ${limit}`,
  judge: (value) => value >= limit,
})

export const atMostTimes = (factor: number): Reach => ({
  text: `≤ ${factor} × reference`,
  judge: (value, reference) => reference !== undefined && value <= factor * reference,
})

export const atMostMore = (extra: number): Reach => ({
  text: `≤ reference + ${extra}`,
  judge: (value, reference) => reference !== undefined && value <= reference + extra,
})

/** Told for information: nothing is asked of it. */
export const noReach: Reach = { text: '–', judge: () => true }

/** A value that is not a number was not measured, and so does not meet anything. */
export function isMet({ value, reference, reach }: Row): boolean {
  return Number.isFinite(value) && reach.judge(value, reference)
}
