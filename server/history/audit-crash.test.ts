import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { systemClock } from '../../lib/shared/clock.ts'
import { draft } from './audit-fixtures.ts'
import { verifyAudit } from './audit-verify.ts'
import { openSqliteAudit } from './sqlite-audit.ts'

const MODULE = new URL('./sqlite-audit.ts', import.meta.url).href
/** Adds entry after entry, and prints the number of the newest one that is said to be stored. */
const SCRIPT = `
  const { openSqliteAudit } = await import(${JSON.stringify(MODULE)})
  const clock = { nowMs: () => Date.now(), monoMs: () => performance.now() }
  const audit = openSqliteAudit({ file: process.argv[1], clock })
  const draft = ${JSON.stringify(draft({ reason: 'r'.repeat(3_000) }))}
  for (;;) {
    console.log(audit.add(draft).number)
    await new Promise((resolve) => setImmediate(resolve))
  }`

it('kill -9 while it adds leaves whole entries in an unbroken chain, with all that were said to be stored', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'tenure-audit-crash-'))
  const file = join(dir, 'audit.sqlite')
  let stored = 0
  for (let round = 0; round < 8; round += 1) {
    const args = ['--input-type=module', '-e', SCRIPT, file]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const lines = createInterface({ input: child.stdout })
    const enough = stored + 3 + round * 7
    lines.on('line', (line) => {
      stored = Number(line)
      if (stored >= enough) child.kill('SIGKILL')
    })
    await once(lines, 'close')
    const look = new DatabaseSync(file)
    expect(look.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    look.close()
    const found = verifyAudit(file)
    expect(found.broken).toBeNull()
    expect(found.count).toBeGreaterThanOrEqual(stored)
    const audit = openSqliteAudit({ file, clock: systemClock })
    const next = audit.add(draft())
    expect(next.number).toBe(found.count + 1)
    expect(audit.list({ limit: 1_000, search: 'rrr' }).entries.length).toBe(found.count - round)
    audit.close()
    stored = next.number
  }
  rmSync(dir, { recursive: true })
}, 60_000)
