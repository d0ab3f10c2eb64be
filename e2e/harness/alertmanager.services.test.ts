import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { alertmanagerMissing } from '../../scripts/setup/find-alertmanager.ts'
import { startAlertmanager, webhookConfig } from './alertmanager.ts'
import { makeTempFolder } from './temp-folder.ts'

const missing = alertmanagerMissing()

/** Also true for what has ended and was not looked at yet. */
function isGone(pid: number): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}

it('says where it looked when there is no Alertmanager', () => {
  const empty = makeTempFolder('bin')
  const none = join(empty.path, 'none')
  mkdirSync(none)
  vi.stubEnv('TENURE_TEST_ALERTMANAGER_BIN', none)
  expect(alertmanagerMissing()).toBe(`no prometheus-alertmanager and amtool in ${none}`)
  vi.unstubAllEnvs()
  empty.remove()
})

describe.skipIf(missing)(`a server${missing ? ` (skipped: ${missing})` : ''}`, () => {
  it('answers, and leaves nothing behind', async () => {
    const server = await startAlertmanager(webhookConfig('http://127.0.0.1:1/'))
    expect(await server.alerts()).toEqual([])
    await server.stop()
    await expect(server.alerts()).rejects.toThrow()
  })

  it('tells what is wrong with its configuration', async () => {
    await expect(startAlertmanager('route: nowhere')).rejects.toThrow(/Alertmanager ended:[\s\S]*nowhere/)
  })

  it('dies with an owner that is killed', async () => {
    const script = `
      import { startAlertmanager, webhookConfig } from ${JSON.stringify(join(import.meta.dirname, 'alertmanager.ts'))}
      const { pid } = await startAlertmanager(webhookConfig('http://127.0.0.1:1/'))
      process.stdout.write(String(pid))
      setInterval(() => {}, 1_000)`
    const owner = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [chunk] = await owner.stdout.take(1).toArray()
    const pid = Number(chunk)
    expect(isGone(pid)).toBe(false)
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    await expect.poll(() => isGone(pid), { timeout: 10_000 }).toBe(true)
  })
})
