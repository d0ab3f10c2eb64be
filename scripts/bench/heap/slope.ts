/** How fast something grows, by a straight line through all samples (least squares). */
export interface Sample {
  atMs: number
  value: number
}

/** Per cent of the mean value in a minute; NaN with fewer than two samples. */
export function slopePercentPerMin(samples: readonly Sample[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const meanMs = mean(samples.map(({ atMs }) => atMs))
  const meanValue = mean(samples.map(({ value }) => value))
  const across = samples.reduce((sum, { atMs, value }) => sum + (atMs - meanMs) * (value - meanValue), 0)
  const along = samples.reduce((sum, { atMs }) => sum + (atMs - meanMs) ** 2, 0)
  return (across / along / meanValue) * 60_000 * 100
}
