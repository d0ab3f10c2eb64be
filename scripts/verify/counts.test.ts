import { describe, expect, it } from 'vitest'
import { addCounts, playwrightCounts, settleCounts, vitestCounts } from './counts.ts'

describe('counts', () => {
  it('reads the reports of both runners', () => {
    const vitest = { numPassedTests: 5, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 }
    expect(vitestCounts(vitest)).toEqual({ passed: 5, failed: 1, skipped: 3 })
    const playwright = { stats: { expected: 4, flaky: 1, unexpected: 2, skipped: 3 } }
    expect(playwrightCounts(playwright)).toEqual({ passed: 5, failed: 2, skipped: 3 })
  })

  it('adds up', () => {
    const one = { passed: 1, failed: 2, skipped: 3 }
    expect(addCounts(one, one)).toEqual({ passed: 2, failed: 4, skipped: 6 })
  })

  it('never takes a runner that crashed or ran nothing for a success', () => {
    expect(settleCounts(undefined, 'SIGKILL').failed).toBe(1)
    expect(settleCounts({ passed: 0, failed: 0, skipped: 2 }, 0).failed).toBe(1)
    expect(settleCounts({ passed: 3, failed: 0, skipped: 0 }, 1).failed).toBe(1)
    expect(settleCounts({ passed: 3, failed: 2, skipped: 0 }, 1).failed).toBe(2)
    expect(settleCounts({ passed: 3, failed: 0, skipped: 1 }, 0)).toEqual({ passed: 3, failed: 0, skipped: 1 })
  })
})
