import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { CLUSTER, election } from './fixtures.ts'
import { openSqliteHistory } from './sqlite-history.ts'

const MODULE = new URL('./sqlite-history.ts', import.meta.url).href
/** Writes term after term, and prints the ordinal of the newest one that a flush has confirmed. */
const SCRIPT = `
  const { openSqliteHistory } = await import(${JSON.stringify(MODULE)})
  const election = ${JSON.stringify(election())}
  const history = openSqliteHistory({ file: process.argv[1] })
  const first = Number(process.argv[2])
  for (let n = first; ; n += 1) {
    const at = new Date().toISOString()
    const leader = { identity: 'w', key: 'k', keyBase64: 'aw==', lease: 'ab' }
    const term = { ordinal: n, epoch: 0, token: String(n), leader, from: at, fromAtLeast: false, to: null, gapMs: null,
      takeoverMs: null, silentMs: null, endedBy: null }
    history.record(${JSON.stringify(CLUSTER)}, election, [{ type: 'term-started', at, revision: String(n), term }])
    for (let s = 0; s < 20; s += 1) history.sample({ cluster: ${JSON.stringify(CLUSTER)}, source: 'probe', member: String(s) }, at, s)
    if (n % 5 === 0 && (await history.flush()).ok) console.log(n)
    if (n % 50 === 0) await history.maintain()
  }`

it('kill -9 while it writes loses nothing that a flush has confirmed and harms nothing', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'tenure-crash-'))
  const file = join(dir, 'tenure.db')
  let confirmed = 0
  for (let round = 0; round < 5; round += 1) {
    const args = ['--input-type=module', '-e', SCRIPT, file, String(confirmed + 1)]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const lines = createInterface({ input: child.stdout })
    const before = confirmed
    lines.on('line', (line) => {
      confirmed = Number(line)
    })
    await expect.poll(() => confirmed > before, { timeout: 10_000 }).toBe(true)
    await wait(20 + round * 37)
    const gone = once(lines, 'close')
    child.kill('SIGKILL')
    await gone
    const look = new DatabaseSync(file)
    expect(look.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    look.close()
    const history = openSqliteHistory({ file })
    const { terms } = await history.terms({ cluster: CLUSTER, ref: election().ref, limit: 1000 })
    const newest = terms[0]?.ordinal ?? 0
    expect(newest).toBeGreaterThanOrEqual(confirmed)
    // Whole, too: a term is there only with all those before it.
    expect(terms.map((found) => found.ordinal)).toEqual(terms.map((_, n) => newest - n))
    await history.close()
    confirmed = newest
  }
  rmSync(dir, { recursive: true })
}, 60_000)
