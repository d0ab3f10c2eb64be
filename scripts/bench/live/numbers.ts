/** The value below which `share` of the values lie (nearest rank); NaN of nothing. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

/** Milliseconds since 1970 by this process's monotonic clock, to fractions. */
export function wallMs(): number {
  return performance.timeOrigin + performance.now()
}

/** For the reader of a run: standard output is the table's alone. */
export function note(text: string): void {
  process.stderr.write(`  ${text}\n`)
}

export const round = (value: number) => (Number.isFinite(value) ? Number(value.toFixed(1)) : value)
