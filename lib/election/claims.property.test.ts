/** Worlds of honest candidates never look like a dual claim; one that goes on claiming always does. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ElectionChange } from './changes.ts'
import { claimsHoldUntilMs, dualClaimOf, LATE_GRACE_MS, LATE_HOLD_MS } from './claims.ts'
import { at, election, having, heard, shown } from './claims-for-test.ts'

interface Timed {
  ms: number
  change: ElectionChange
}

const T0 = Date.parse(at(0))
const terms = fc.array(
  fc.record({
    lastsMs: fc.integer({ min: 50, max: 20_000 }),
    /** How late the watch shows its end. */
    watchMs: fc.integer({ min: 0, max: 3_000 }),
    /** A report's way to the dashboard; any may be the slowest. */
    transitMs: fc.array(fc.integer({ min: 0, max: LATE_GRACE_MS }), { minLength: 1, maxLength: 5 }),
    reportEveryMs: fc.integer({ min: 100, max: 5_000 }),
    /** It was stopped and reports its old claim on waking, then takes it back. */
    wakesAfterMs: fc.option(fc.integer({ min: 1, max: 30_000 })),
    takesBackMs: fc.integer({ min: 0, max: LATE_HOLD_MS - 1 }),
    leftMs: fc.integer({ min: 0, max: 60_000 }),
  }),
  { minLength: 2, maxLength: 12 },
)
type Worlds = typeof terms extends fc.Arbitrary<infer T> ? T : never

/** What the dashboard sees, in the order in which it comes. */
function seen(world: Worlds): Timed[] {
  const all: Timed[] = []
  let beginMs = 0
  let shownMs = 0
  for (const [at, { lastsMs, watchMs, transitMs, reportEveryMs, leftMs, ...term }] of world.entries()) {
    const token = 7 + at
    const endMs = beginMs + lastsMs
    const who = { instance: `i${token}`, leftMs }
    for (let sent = beginMs, n = 0; sent < endMs; sent += reportEveryMs, n += 1) {
      const ms = sent + (transitMs[n % transitMs.length] ?? 0)
      all.push({ ms, change: heard(ms, { ...who, token }) })
    }
    // etcd's events come in order.
    shownMs = Math.max(shownMs, endMs + watchMs)
    all.push({ ms: shownMs, change: shown(shownMs, [token], []) })
    if (term.wakesAfterMs !== null) {
      const ms = endMs + term.wakesAfterMs
      all.push({ ms, change: heard(ms, { ...who, token }) })
      all.push({ ms: ms + term.takesBackMs, change: heard(ms + term.takesBackMs, who) })
    }
    beginMs = endMs
  }
  return all.sort((a, b) => a.ms - b.ms)
}

test('a handover, a failover or a candidate that wakes up is never a dual claim', () => {
  fc.assert(
    fc.property(terms, (world) => {
      let state = election(...world.map((_, n) => 7 + n))
      const events = seen(world)
      for (const [n, { ms, change }] of events.entries()) {
        state = having(state, change)
        const nextMs = events[n + 1]?.ms ?? ms + 60_000
        const turnsMs = claimsHoldUntilMs(state, [], T0 + ms) - T0
        for (const when of [ms, turnsMs, nextMs - 1]) {
          if (when >= ms && when < nextMs) expect(dualClaimOf(state, [], at(when))).toBeNull()
        }
      }
    }),
    { numRuns: 300 },
  )
})

test('whoever goes on claiming is found within grace, hold and one report', () => {
  const world = fc.record({
    everyMs: fc.integer({ min: 100, max: 5_000 }),
    firstMs: fc.integer({ min: 0, max: 5_000 }),
    endMs: fc.integer({ min: 1, max: 10_000 }),
    successor: fc.boolean(),
  })
  fc.assert(
    fc.property(world, ({ everyMs, firstMs, endMs, successor }) => {
      const byMs = endMs + LATE_GRACE_MS + everyMs + LATE_HOLD_MS + 1
      const reports: Timed[] = []
      for (let ms = firstMs % everyMs; ms <= byMs; ms += everyMs) {
        reports.push({ ms, change: heard(ms, { token: 7, leftMs: everyMs + LATE_HOLD_MS }) })
      }
      const events = [...reports, { ms: endMs, change: shown(endMs, [7], successor ? [9] : []) }]
      const state = having(election(7), ...events.sort((a, b) => a.ms - b.ms).map(({ change }) => change))
      // Only reports that had come by then count: the last may have come a moment before.
      expect(dualClaimOf(state, [], at(byMs))?.claimants).toMatchObject([{ reason: 'term-ended' }])
    }),
    { numRuns: 300 },
  )
})

test('the verdict holds as long as it is said to', () => {
  fc.assert(
    fc.property(terms, fc.nat(60_000), fc.nat(30_000), (world, ms, laterMs) => {
      const events = seen(world).filter((event) => event.ms <= ms)
      const state = having(election(...world.map((_, n) => 7 + n)), ...events.map(({ change }) => change))
      const untilMs = claimsHoldUntilMs(state, [], T0 + ms) - T0
      if (ms + laterMs >= untilMs) return
      const [now, then] = [dualClaimOf(state, [], at(ms)), dualClaimOf(state, [], at(ms + laterMs))]
      expect(then?.claimants).toEqual(now?.claimants)
    }),
    { numRuns: 500 },
  )
})
