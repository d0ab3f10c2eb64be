import { existsSync, readFileSync } from 'node:fs'

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

export const noCounts: Counts = { passed: 0, failed: 0, skipped: 0 }

export function addCounts(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }
}

/** Of Vitest's JSON report. */
export function vitestCounts(report: Record<string, unknown>): Counts {
  const count = (name: string) => Number(report[name] ?? 0)
  return {
    passed: count('numPassedTests'),
    failed: count('numFailedTests'),
    skipped: count('numPendingTests') + count('numTodoTests'),
  }
}

/** Of Playwright's JSON report. A test that passed only when repeated counts as passed. */
export function playwrightCounts(report: Record<string, unknown>): Counts {
  const stats = (report.stats ?? {}) as Record<string, number>
  return {
    passed: (stats.expected ?? 0) + (stats.flaky ?? 0),
    failed: stats.unexpected ?? 0,
    skipped: stats.skipped ?? 0,
  }
}

/**
 * What a runner's end adds up to. A runner that crashed, found nothing to run or wrote no report must
 * never look like success, so it counts as one failure.
 */
export function settleCounts(
  reported: Counts | undefined,
  code: number | NodeJS.Signals,
): Counts & { problem?: string } {
  if (reported === undefined) return { ...noCounts, failed: 1, problem: `no report (it ended with ${code})` }
  if (reported.passed + reported.failed === 0) return { ...reported, failed: 1, problem: 'it ran no tests' }
  if (code !== 0 && reported.failed === 0) return { ...reported, failed: 1, problem: `it ended with ${code}` }
  return reported
}

export function readReport(file: string): Record<string, unknown> | undefined {
  if (!existsSync(file)) return undefined
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
