import type { Row } from './row.ts'

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** The median of each row over several runs; a row that a run did not bring counts as not measured. */
export function medianRows(runs: readonly (readonly Row[])[]): Row[] {
  const names = new Set(runs.flat().map((row) => row.name))
  return [...names].map((name) => {
    const rows = runs.map((run) => run.find((row) => row.name === name)).filter((row) => row !== undefined)
    const [first] = rows
    if (!first) throw new Error(`no row ${name}`)
    if (rows.length < runs.length || rows.some((row) => !Number.isFinite(row.value)))
      return { ...first, value: Number.NaN }
    const references = rows.map((row) => row.reference).filter((reference) => reference !== undefined)
    const reference = references.length === rows.length ? median(references) : undefined
    return { ...first, value: median(rows.map((row) => row.value)), reference }
  })
}
