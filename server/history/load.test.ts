import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { instant, systemClock } from '../../lib/shared/clock.ts'
import { at, CLUSTER, election, started, term } from './fixtures.ts'
import { openSqliteHistory } from './sqlite-history.ts'

it('takes ten thousand elections at once, and 200 samples a second, without holding up the event loop', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'tenure-load-'))
  const file = join(dir, 'tenure.db')
  const history = openSqliteHistory({ file })
  await history.flush()
  const elections = Array.from({ length: 10_000 }, (_, n) => election(`jobs-${n}`))
  const delay = monitorEventLoopDelay({ resolution: 1 })
  for (const [n, one] of elections.entries()) {
    history.record(CLUSTER, one, [started(term(1, n + 1, 0))])
    if (n % 500 === 0) await nextTurn()
  }
  delay.enable()
  let turns = 0
  const counter = setInterval(() => {
    turns += 1
  }, 1)
  expect(await history.flush()).toEqual({ ok: true })
  clearInterval(counter)
  expect(turns).toBeGreaterThan(2)
  for (let n = 0; n < 4_000; n += 1) {
    const series = { cluster: CLUSTER, source: 'margin', ref: elections[n % 2_000]?.ref ?? election().ref } as const
    history.sample(series, instant(systemClock.nowMs() - 60_000 + n), 80)
  }
  await history.flush()
  await history.maintain()
  await wait(10)
  delay.disable()
  // Several times what two cores need, so that a busy machine does not fail it.
  expect(delay.percentile(99) / 1e6).toBeLessThan(250)
  await history.close()

  const again = openSqliteHistory({ file })
  const startMs = performance.now()
  const known = await again.load(CLUSTER, at(10))
  expect(known.elections).toHaveLength(10_000)
  expect(performance.now() - startMs).toBeLessThan(10_000)
  await again.close()
  rmSync(dir, { recursive: true })
}, 60_000)
