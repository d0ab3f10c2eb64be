import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { describe, expect, it, vi } from 'vitest'
import { postgresMissing, startPostgres } from './postgres.ts'
import { makeTempFolder } from './temp-folder.ts'

const missing = postgresMissing()

/** Also true for what has ended and was not looked at yet. */
function isGone(pid: number): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}

it('says where it looked when there is no PostgreSQL', () => {
  const empty = makeTempFolder('bin')
  mkdirSync(join(empty.path, 'none'))
  vi.stubEnv('TENURE_TEST_POSTGRES_BIN', join(empty.path, 'none'))
  expect(postgresMissing()).toContain('/usr/lib/postgresql')
  vi.unstubAllEnvs()
  empty.remove()
})

describe.skipIf(missing)(`a server${missing ? ` (skipped: ${missing})` : ''}`, () => {
  it('answers, runs as somebody else than root, and leaves nothing behind', async () => {
    const postgres = await startPostgres()
    const client = new Client(postgres.connection)
    await client.connect()
    client.on('error', () => {})
    const { rows } = await client.query<{ version: string }>('SELECT version()')
    expect(rows[0]?.version).toContain(`PostgreSQL ${postgres.version}`)
    expect(statSync(`/proc/${postgres.pid}`).uid).not.toBe(0)

    // With a session open: it does not wait for it.
    await postgres.stop()
    await client.end().catch(() => {})
    expect(isGone(postgres.pid)).toBe(true)
    expect(existsSync(dirname(postgres.dataDir))).toBe(false)
  })

  it('dies with an owner that is killed', async () => {
    const script = `
      import { startPostgres } from ${JSON.stringify(join(import.meta.dirname, 'postgres.ts'))}
      const { pid, dataDir } = await startPostgres()
      process.stdout.write(JSON.stringify({ pid, dataDir }))
      setInterval(() => {}, 1_000)`
    const owner = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [chunk] = await owner.stdout.take(1).toArray()
    const { pid, dataDir } = JSON.parse(String(chunk)) as { pid: number; dataDir: string }
    expect(isGone(pid)).toBe(false)
    owner.kill('SIGKILL')
    await expect.poll(() => isGone(pid), { timeout: 10_000 }).toBe(true)
    // The next folder tidies up after an owner that could not.
    makeTempFolder('postgres').remove()
    expect(existsSync(dataDir)).toBe(false)
  })
})
