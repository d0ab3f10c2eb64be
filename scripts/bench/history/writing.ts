/** How long the event loop of a server is held up while it writes 1,000 samples and 50 changes a second. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Fact } from '../../../lib/election/changes.ts'
import type { Revision } from '../../../lib/election/types.ts'
import { instant } from '../../../lib/shared/clock.ts'
import type { History } from '../../../server/history/history.ts'
import { CLUSTER, electionAt, MONTH, termsOf } from './elections.ts'
import { Seeded } from './seeded.ts'

const SECONDS = 20
const TICK_MS = 10
const SAMPLES_PER_TICK = 10
const CHANGES_PER_S = 50

/** p99 of the delay beyond the monitor's own period, while `work` runs every tick. */
async function delayP99Ms(work: (tick: number) => void): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const startedMs = performance.now()
  for (let tick = 0; tick < (SECONDS * 1_000) / TICK_MS; tick += 1) {
    work(tick)
    await pause(Math.max(0, startedMs + (tick + 1) * TICK_MS - performance.now()))
  }
  delay.disable()
  return Math.max(0, delay.percentile(99) / 1e6 - 1)
}

export const idleP99Ms = () => delayP99Ms(() => {})

export async function writingP99Ms(history: History): Promise<number> {
  const random = new Seeded(23)
  let changes = 0
  const p99Ms = await delayP99Ms((tick) => {
    const now = instant(Date.now())
    for (let at = 0; at < SAMPLES_PER_TICK; at += 1) {
      const { ref } = electionAt(random.whole(MONTH.elections))
      history.sample({ cluster: CLUSTER, source: 'holder', ref, identity: 'worker-1' }, now, random.roundTripMs(5))
    }
    while (changes < (tick * TICK_MS * CHANGES_PER_S) / 1_000) {
      const election = random.whole(MONTH.elections)
      const [term] = termsOf(election, { nowMs: Date.now(), random, size: MONTH })
      if (term === undefined) return
      const token = String(10_000_000 + changes) as Revision
      const begun = { ...term, token, from: now, to: null, silentMs: null, endedBy: null }
      const facts: Fact[] = [{ type: 'term-started', at: now, revision: token, term: begun }]
      history.record(CLUSTER, electionAt(election), facts)
      changes += 1
    }
  })
  const state = await history.flush()
  if (!state.ok) throw new Error(`history was not written: ${state.error}`)
  return p99Ms
}
